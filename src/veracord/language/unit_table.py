"""The units that we know: symbol, dimension, exact size in the base unit of the dimension, words, and codes.

Each size is an exact rational number, so that every conversion is exact or is known not to be.  (Pint, which the tests
ask for a second opinion, rounds: with Decimals it makes 77.00000000000000000000000003 °F of 25 °C.)

Source: BIPM, The International System of Units; UN/ECE Recommendation 20 for the codes; SAMM unit catalog for names.
"""

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

#: symbol | dimension | size in base units | words (English, German), comma separated | SI prefixes
_ROWS: Final = """
g|mass|1/1000|gram,gramme,Gramm|M k m µ n
t|mass|1000|tonne,tonneMetricTon,metric ton,metric tonne,Tonne|
lb|mass|0.45359237|lbs,pound|
oz|mass|0.45359237/16|ounce,Unze|
m|length|1|metre,meter|M k d c m µ n
in|length|0.0254|inch,inche,Zoll|
ft|length|0.3048|foot,feet,Fuß|
yd|length|0.9144|yard|
mi|length|1609.344|mile,Meile|
m2|area|1|square metre,square meter,Quadratmeter,sqm,qm,sq m|
km2|area|1000000|square kilometre,square kilometer,Quadratkilometer,sq km|
dm2|area|1/100|square decimetre,square decimeter,Quadratdezimeter|
cm2|area|1/10000|square centimetre,square centimeter,Quadratzentimeter|
mm2|area|1/1000000|square millimetre,square millimeter,Quadratmillimeter|
in2|area|0.0254*0.0254|square inch|
ft2|area|0.3048*0.3048|square foot,square feet,sq ft|
mi2|area|1609.344*1609.344|square mile,sq mi|
ha|area|10000|hectare,Hektar|
m3|volume|1|cubic metre,cubic meter,Kubikmeter|
dm3|volume|1/1000|cubic decimetre,cubic decimeter,Kubikdezimeter|
cm3|volume|1/1000000|cubic centimetre,cubic centimeter,Kubikzentimeter|
mm3|volume|1/1000000000|cubic millimetre,cubic millimeter,Kubikmillimeter|
l|volume|1/1000|litre,liter|M h d c m µ
s|time|1|sec,second,secondUnitOfTime,Sekunde,Sek|M k m µ n
min|time|60|mins,minute,minuteUnitOfTime|
h|time|3600|hr,hrs,hour,hourUnitOfTime,Stunde,Std|
d|time|86400|day,Tag,Tage,Tagen|
wk|time|604800|week,Woche|
mo|months|1|month,Monat,Monate,Monaten|
yr|months|12|year,Jahr,Jahre,Jahren,yrs|
A|current|1|ampere,amp|M k m µ n
V|voltage|1|volt|M k m µ
Ω|resistance|1|ohm|M k m µ
S|conductance|1|siemens|m µ
W|power|1|watt|G M k m µ
VA|apparent power|1|volt ampere,volt-ampere,Voltampere|M k
var|reactive power|1||M k
J|energy|1|joule|T G M k m µ
Wh|energy|3600|watt hour,watt-hour,Wattstunde|T G M k m
cal|energy|4.184|calorie,Kalorie|k
Ah|charge|3600|ampere hour,ampere-hour,amp hour,amp-hour,Amperestunde|M k m
coulomb|charge|1|coulomb|
F|capacitance|1|farad|m µ n p
H|inductance|1|henry|m µ n
T|flux density|1|tesla|m µ
Hz|frequency|1|hertz|G M k
N|force|1|newton|M k m
N·m|torque|1|newton metre,newton meter,Newtonmeter|k m
Pa|pressure|1|pascal|G M k h m
bar|pressure|100000||m
psi|pressure|0.45359237*9.80665/0.0254/0.0254||
atm|pressure|101325|atmosphere,Atmosphäre|
K|temperature|1|kelvin|m
°C|temperature|1|degree Celsius,degree centigrade,degree C,degreeCelsius,deg C|
°C|temperature|1|°Celsius,° Celsius,° C,Celsius,centigrade,Grad Celsius,Grad C|
°F|temperature|5/9|degree Fahrenheit,degree F,deg F,°Fahrenheit,° Fahrenheit,° F,Fahrenheit,Grad Fahrenheit,Grad F|
rad|angle of radians|1|radian,Radiant|m
°|angle|1|degree,degreeUnitOfAngle,deg,Grad|
mol|amount|1|mole|k m µ
lm|luminous flux|1|lumen|k m
lx|illuminance|1|lux|k
cd|luminous intensity|1|candela|m
dB|level|1|decibel,Dezibel|
dB(A)|level A|1|dBA,dB (A)|
rpm|rotation|1|revolution per minute,revolutions per minute,rev/min,r/min,U/min,Umdrehungen pro Minute,1/min,min-1|
bit|data|1||k M G
B|data|8|byte|k M G T
%|ratio|1/100|percent,per cent,percentage,Prozent,v.H.,% of total|
‰|ratio|1/1000|permille,per mille,Promille|
ppm|ratio|1/1000000|parts per million,part per million|
ppb|ratio|1/1000000000|parts per billion,part per billion|
fraction|ratio|1|fraction,ratio,decimal fraction,Bruchteil|
pp|percentage points|1|percentage point,Prozentpunkt,%-points,percent points,p.p.,Prozentpunkten|
piece|count|1|pc,pcs,pieces,piece,pce,Stück,Stücke,Stk,Stk.,one,unit,each,ea|
W/(m·K)|thermal conductivity|1|W/(m K),W/(m*K),W/mK,W/m·K,W/(mK),W m-1 K-1|
J/(kg·K)|heat capacity|1|J/(kg K),J/(kg*K),J/kgK,J/(kgK)|
kJ/(kg·K)|heat capacity|1000|kJ/(kg K),kJ/(kg*K),kJ/kgK,kJ/(kgK)|
m/s2|acceleration|1|m/s²,metre per second squared|
100 km|length|100000|100km,hundert Kilometer,hundred kilometres|
1000 km|length|1000000|1000km,1,000 km,1.000 km|
100 g|mass|1/10|100g|
""".strip()
#: symbols whose meaning depends on where they stand: they equal only themselves
LITERAL: Final = ("C", "gal", "gallon", "Pfund", "ct", "cent", "kr", "¥")
_PREFIXES: Final[dict[str, tuple[Fraction, str]]] = {
    "T": (Fraction(10**12), "tera"),
    "G": (Fraction(10**9), "giga"),
    "M": (Fraction(10**6), "mega"),
    "k": (Fraction(10**3), "kilo"),
    "h": (Fraction(100), "hecto,hekto"),
    "d": (Fraction(1, 10), "deci,dezi"),
    "c": (Fraction(1, 100), "centi,zenti"),
    "m": (Fraction(1, 10**3), "milli"),
    "µ": (Fraction(1, 10**6), "micro,mikro"),
    "n": (Fraction(1, 10**9), "nano"),
    "p": (Fraction(1, 10**12), "pico,piko"),
}
#: What is added before the size is applied: the zero of the scale.
_OFFSETS: Final = {"°C": Fraction("273.15"), "°F": Fraction("459.67")}
#: ISO code: what else it is written like.
_CURRENCIES: Final = {
    "EUR": "€ euro euros",
    "USD": "US$ USD$ U.S.$ US-Dollar US-Dollars",
    "GBP": "£",
    "CHF": "SFr. Franken",
    "PLN": "zł złoty",
    "CZK": "Kč",
    "INR": "₹",
    "CNY": "RMB",
    "AUD": "A$ AU$ AUD$",
    "CAD": "C$ CA$ CAD$",
    "HKD": "HK$",
    "SEK": "", "NOK": "", "DKK": "", "JPY": "", "HUF": "", "BRL": "R$", "KRW": "₩", "RON": "", "TRY": "₺",
    "$": "dollar dollars Dollars",
}  # fmt: skip
#: Recommendation 20 code and symbol.
_CODES: Final = """
KGM kg GRM g MGM mg MC µg TNE t LBR lb ONZ oz MTR m MMT mm CMT cm DMT dm KMT km 4H µm C45 nm INH in FOT ft YRD yd
SMI mi MTK m2 CMK cm2 MMK mm2 DMK dm2 KMK km2 HAR ha MTQ m3 CMQ cm3 MMQ mm3 DMQ dm3 LTR l MLT ml CLT cl DLT dl HLT hl
4G µl CEL °C KEL K FAH °F SEC s C26 ms MIN min HUR h DAY d WEE wk MON mo ANN yr AMP A 4K mA B22 kA VLT V 2Z mV KVT kV
B78 MV OHM Ω E45 mΩ B49 kΩ B75 MΩ WTT W KWT kW MAW MW C31 mW A90 GW JOU J KJO kJ 3B MJ GV GJ C15 mJ WHR Wh KWH kWh
MWH MWh GWH GWh AMH Ah E09 mAh TAH kAh COU coulomb FAR F 4O µF C41 nF 4T pF HTZ Hz KHZ kHz MHZ MHz A86 GHz NEW N
B47 kN NU N·m PAL Pa KPA kPa MPA MPa A97 hPa BAR bar MBR mbar PS psi ATM atm P1 % 59 ppm 61 ppb C62 piece H87 piece
EA piece RPM rpm KMH km/h MTS m/s MSK m/s2 KMQ kg/m3 GL g/l 23 g/cm3 D53 W/(m·K) LUM lm LUX lx CDL cd 2N dB AD B
2P kB 4L MB E34 GB A99 bit D46 VA KVA kVA D44 var KVR kvar DD ° C34 mol C18 mmol GM g/m2 28 kg/m2 KGS kg/s D33 T
81 H SIE S NIU piece
"""


_VARIANTS: Final = {
    "\u2103": "°C", "\u2109": "°F", "\u00ba": "°", "\u00baC": "°C", "\u00baF": "°F", "\uff05": "%", "Mt": "Mt",
    "kt": "kt",
    "kph": "km/h", "kmph": "km/h", "km/hr": "km/h", "mph": "mi/h", "m²": "m2",
}  # fmt: skip


_PARTING: Final = re.compile(r"[ ./·*-]")
_SEVERAL: Final = re.compile(r"[ .·*-]")


class Scale(NamedTuple):
    """How a symbol measures: `(value + offset) * size` is the value in the base unit of the dimension."""

    dimension: str | None
    size: Fraction
    offset: Fraction


class UnitTable(NamedTuple):
    """Every spelling we know: `scales` by symbol; the others map a spelling to its symbol."""

    scales: dict[str, Scale]
    symbols: dict[str, str]
    words: dict[str, str]
    codes: dict[str, str]
    currencies: dict[str, str]
    heads: set[str]


@lru_cache(maxsize=1)
def unit_table() -> UnitTable:
    """Return the table, made when first asked for."""
    table = UnitTable({}, {}, {}, {}, {}, set())
    for row in _ROWS.split("\n"):
        symbol, dimension, size, words, prefixes = row.split("|")
        _add(table, symbol, Scale(dimension, _number(size), _OFFSETS.get(symbol, Fraction(0))), words.split(","))
        for prefix in prefixes.split():
            factor, names = _PREFIXES[prefix]
            spelled = [name + word.lower() for name in names.split(",") for word in words.split(",") if len(word) > 1]
            _add(table, prefix + symbol, Scale(dimension, factor * _number(size), Fraction(0)), spelled)
    for symbol in LITERAL:
        table.scales[symbol] = Scale(None, Fraction(1), Fraction(0))
        table.symbols[symbol] = symbol
        if len(symbol) > 2:  # noqa: PLR2004 - a word, no symbol
            table.words[symbol.casefold()] = table.words[symbol.casefold() + "s"] = symbol
    _add_currencies(table)
    _add_variants(table)
    code_words = _CODES.split()
    table.codes.update(zip(code_words[::2], code_words[1::2], strict=True))
    # First words of spellings that have several.
    spellings = [*table.words, *table.symbols]
    table.heads.update(_PARTING.split(spelling.casefold())[0] for spelling in spellings if _SEVERAL.search(spelling))
    return table


def _number(product: str) -> Fraction:
    """Read a product of numbers, each with `*` or `/` before it."""
    value, *rest = product.replace("/", "*/").split("*")
    out = Fraction(value)
    for factor in rest:
        out = out / Fraction(factor[1:]) if factor.startswith("/") else out * Fraction(factor)
    return out


def _add(table: UnitTable, symbol: str, scale: Scale, words: list[str]) -> None:
    table.scales[symbol] = scale
    table.symbols[symbol] = symbol
    for word in words:
        folded = word.casefold()
        if not folded:
            continue
        table.words[folded] = symbol
        if folded[-1].isalpha():
            # English plural; German plural of words in -e (Stunde, Tonne, Meile).
            table.words.setdefault(folded + "s", symbol)
            table.words.setdefault(folded + "n", symbol)
        head, space, tail = folded.partition(" ")
        if space and head == "degree":
            table.words[f"degrees {tail}"] = symbol


def _add_currencies(table: UnitTable) -> None:
    for code, names in _CURRENCIES.items():
        table.scales[code] = Scale(f"money {code}", Fraction(1), Fraction(0))
        for name in (code, *names.split()):
            known = table.words if name.isalpha() and not name.isupper() else table.symbols
            known[name.casefold() if known is table.words else name] = code
            table.currencies[name] = code


def _add_variants(table: UnitTable) -> None:
    """Other ways to write the symbols: L for l, micro as Greek letter or u, ohm sign, Nm, and case where it is safe."""
    for symbol in list(table.scales):
        if symbol.endswith("l") and table.scales[symbol].dimension == "volume":
            table.symbols[symbol[:-1] + "L"] = symbol
        if symbol.startswith("µ"):
            table.symbols["\u03bc" + symbol[1:]] = table.symbols["u" + symbol[1:]] = symbol
        if "Ω" in symbol:
            table.symbols[symbol.replace("\u03a9", "\u2126")] = symbol
        if "·" in symbol:
            table.symbols[symbol.replace("·", "")] = table.symbols[symbol.replace("·", "*")] = symbol
    table.symbols.update(_VARIANTS)
    table.scales["Mt"] = Scale("mass", Fraction(10**9), Fraction(0))
    table.scales["kt"] = Scale("mass", Fraction(10**6), Fraction(0))
    folded: dict[str, set[str]] = {}
    for spelling, symbol in table.symbols.items():
        folded.setdefault(spelling.casefold(), set()).add(symbol)
    for spelling, symbols in folded.items():
        # Only where no other unit differs by case alone: kwh is kWh, but mj could be MJ or mJ.
        if len(symbols) == 1 and len(spelling) > 1 and spelling.isalpha():
            table.words.setdefault(spelling, next(iter(symbols)))
