"""Units that end the names of members: ``mass_kg``, ``lengthMm``, ``nominalVoltageV``, ``warranty_months``.

The list is closed, and told in docs/answers.md.  A unit of one letter, and one that may be another word, counts only
behind the name of what it measures: ``voltage_V`` is in volts, ``variantV`` and ``temperature_min`` have no unit.
"""

from functools import lru_cache
from typing import Final

from veracord.gates.statements import Name
from veracord.grounding.names import name_of

_LONGEST: Final = 12
#: Units that stand behind any name, in any case of letters.
_ANYWHERE: Final = {
    unit.casefold(): unit
    for unit in (
        "kg mg mm cm km ml kWh Wh MWh GWh MJ kJ Ah mAh kW kPa hPa bar Hz kHz MHz rpm ppm ppb EUR USD GBP CHF Nm kN kV"
        " mbar dB lm"
    ).split()
} | {
    "g": "g", "pct": "%", "percent": "%", "celsius": "°C", "degc": "°C", "deg_c": "°C", "kelvin": "K", "degf": "°F",
    "fahrenheit": "°F", "kgco2e": "kg CO2e", "kg_co2e": "kg CO2e", "kgco2eq": "kg CO2e", "kg_co2_eq": "kg CO2e",
    "gco2e": "g CO2e", "g_co2e": "g CO2e", "tco2e": "t CO2e", "t_co2e": "t CO2e", "kmh": "km/h", "km_h": "km/h",
    "kph": "km/h", "wh_kg": "Wh/kg", "w_kg": "W/kg", "g_km": "g/km", "kg_m3": "kg/m³", "g_cm3": "g/cm³", "m2": "m²",
    "m3": "m³", "cm2": "cm²", "cm3": "cm³", "mm2": "mm²", "mm3": "mm³", "sqm": "m²", "litres": "l", "liters": "l",
    "litre": "l", "liter": "l", "volts": "V", "volt": "V", "amps": "A", "ampere": "A", "amperes": "A", "watts": "W",
    "watt": "W", "ohm": "Ω", "ohms": "Ω", "metres": "m", "meters": "m", "grams": "g", "kilograms": "kg",
    "tonnes": "t", "years": "years", "months": "months", "weeks": "weeks", "days": "days", "hours": "h",
    "minutes": "min", "seconds": "s",
}  # fmt: skip
#: Units whose case of letters tells a million from a thousandth; only as they are written.
_EXACT: Final = {unit: unit for unit in "mV MV mA mW MW MPa mPa GB MB TB kB Pa mOhm".split()} | {"mOhm": "mΩ"}
_OF_LENGTH: Final = (
    "length width height depth diameter radius thickness distance range altitude elevation circumference länge breite"
    " höhe tiefe durchmesser dicke"
)
_OF_TIME: Final = "duration time period interval lifetime life runtime age delay warranty dauer laufzeit zeit"
#: Units of one letter, or that may be another word, with what they measure.
_MEASURING: Final = {
    "m": ("m", _OF_LENGTH), "v": ("V", "voltage spannung nennspannung"), "w": ("W", "power leistung nennleistung"),
    "a": ("A", "current strom nennstrom"), "l": ("l", "volume volumen capacity content"), "h": ("h", _OF_TIME),
    "c": ("°C", "temperature temperatur"), "k": ("K", "temperature temperatur"), "f": ("°F", "temperature temperatur"),
    "s": ("s", _OF_TIME), "sec": ("s", _OF_TIME), "min": ("min", _OF_TIME), "ms": ("ms", _OF_TIME),
    "d": ("days", _OF_TIME), "t": ("t", "mass weight masse gewicht"), "j": ("J", "energy energie"),
    "n": ("N", "force kraft"), "lb": ("lb", "mass weight"), "lbs": ("lb", "mass weight"),
    "inch": ("in", _OF_LENGTH), "inches": ("in", _OF_LENGTH), "in": ("in", _OF_LENGTH), "ft": ("ft", _OF_LENGTH),
    "mpa": ("MPa", "pressure strength druck"), "g": ("g", "mass weight masse gewicht"),
}  # fmt: skip


def known_endings() -> frozenset[str]:
    """Return all endings that are known, as docs/answers.md tells them, in lower case."""
    return frozenset({*_ANYWHERE, *_MEASURING, *(unit.casefold() for unit in _EXACT)})


@lru_cache(maxsize=4096)
def unit_in_name(member: str) -> tuple[Name | None, str | None]:
    """Return a member's name without the unit that ends it, and that unit: ``mass_kg``, ``lengthMm``."""
    for short, ending, is_marked in _cuts(member):
        unit = _unit_of(short, ending, is_marked=is_marked)
        if unit is not None:
            return name_of(short), unit
    return None, None


def _cuts(member: str) -> list[tuple[str, str, bool]]:
    """Return where a unit may begin, the longest first, and whether a mark stands in front of it."""
    cuts = []
    for at in range(2, len(member)):
        if member[at - 1] == "_":
            cuts.append((member[: at - 1].removesuffix("_in"), member[at:], True))
        elif member[at].isupper() and (member[at - 1].islower() or member[at - 1].isdigit()):
            cuts.append((member[:at].removesuffix("In"), member[at:], False))
    return [cut for cut in cuts if len(cut[0]) > 1 and len(cut[1]) <= _LONGEST]


def _unit_of(short: str, ending: str, *, is_marked: bool) -> str | None:
    if ending in _EXACT:
        return _EXACT[ending]
    folded = ending.casefold()
    measured = name_of(short).stems[-1:]
    if folded in _MEASURING:
        unit, nouns = _MEASURING[folded]
        if any(measured == name_of(noun).stems[-1:] for noun in nouns.split()):
            return unit
    if folded == "g" and not is_marked:
        # "planG" is the seventh plan.
        return None
    return _ANYWHERE.get(folded)
