"""Keys and signed statements: files made once, statements read strictly, and a missing library told."""

import json
import os
import subprocess
import sys
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.unit.audit_logs import Log, log_of
from veracord import ConfigurationError, InputError
from veracord.audit.chain import GENESIS, Head
from veracord.audit.key_files import load_key, load_public_key, open_or_make_key
from veracord.audit.keys import PublicKey, SigningKey
from veracord.audit.signatures import Checkpoint, Rotation, sign_checkpoint, sign_rotation
from veracord.records.values import canonical, digest


@pytest.fixture(scope="module")
def key():
    return SigningKey.make()


def test_a_key_file_is_made_once_and_for_its_owner_alone(tmp_path):
    path = tmp_path / "audit.pem"
    first = open_or_make_key(path)
    before = path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600
    assert open_or_make_key(path).public == first.public == load_key(path).public
    assert load_public_key(tmp_path / "audit.pem.pub") == first.public
    assert path.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["audit.pem", "audit.pem.pub"]


def test_a_public_key_of_another_key_is_told_and_kept(tmp_path, key):
    path, public = tmp_path / "k", tmp_path / "k.pub"
    first = open_or_make_key(path)
    assert public.stat().st_mode & 0o777 == 0o644
    public.unlink()
    assert open_or_make_key(path).public == first.public == load_public_key(public)
    public.write_bytes(key.public.to_pem())
    with pytest.raises(ConfigurationError, match="not that of the key beside it"):
        open_or_make_key(path)
    assert load_public_key(public) == key.public


def test_of_many_that_make_a_key_all_get_the_same(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: open_or_make_key(tmp_path / "k").public, range(32)))
    assert len(set(found)) == 1


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_key_that_others_may_use_is_refused(tmp_path, mode):
    path = tmp_path / "k"
    open_or_make_key(path)
    path.chmod(mode)
    with pytest.raises(ConfigurationError, match="others than its owner") as caught:
        open_or_make_key(path)
    assert (caught.value.code, caught.value.remedy) == ("key_file", "chmod 600")


def test_a_file_with_something_else_is_refused_and_kept(tmp_path, key):
    path = tmp_path / "k"
    for content in (b"", b"secret-content", key.public.to_pem(), key.to_pem()[:60], b"\xff" * 9999, other_pem()):
        path.write_bytes(content)
        path.chmod(0o600)
        with pytest.raises(InputError) as caught:
            open_or_make_key(path)
        assert caught.value.code == "audit_key"
        assert "secret" not in str(caught.value)
        assert path.read_bytes() == content
    path.write_bytes(key.to_pem())
    with pytest.raises(InputError, match="audit_key"):
        load_public_key(path)


def other_pem():
    from cryptography.hazmat.primitives.asymmetric import x25519
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    secret = x25519.X25519PrivateKey.generate()
    return secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def test_a_key_with_a_pass_phrase_is_refused(tmp_path, key):
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        PrivateFormat,
        load_pem_private_key,
    )

    path = tmp_path / "k"
    secret = load_pem_private_key(key.to_pem(), password=None)
    path.write_bytes(secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"x")))
    path.chmod(0o600)
    with pytest.raises(InputError, match="pass phrase"):
        load_key(path)


def test_places_that_cannot_be_used_are_told(tmp_path):
    with pytest.raises(ConfigurationError, match="key_file"):
        open_or_make_key(tmp_path / "absent" / "k")
    with pytest.raises(ConfigurationError, match="key_file"):
        load_key(tmp_path)
    with pytest.raises(InputError, match="unreadable_file"):
        load_public_key(tmp_path / "absent")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(ConfigurationError, match="key_file"):
        open_or_make_key(tmp_path / "link")
    assert not (tmp_path / "nowhere").exists()


def test_a_secret_is_in_no_representation(key):
    assert repr(key) == f"SigningKey(public={key.public!r})"


def test_the_id_of_a_key_is_the_digest_of_its_bytes(key):
    assert key.public.id == digest(key.public.data)
    assert PublicKey.from_text(key.public.text) == key.public
    assert PublicKey.from_pem(key.public.to_pem()) == key.public


def test_openssl_form_is_plain_pem(key):
    assert key.to_pem().startswith(b"-----BEGIN PRIVATE KEY-----\n")
    assert key.public.to_pem().startswith(b"-----BEGIN PUBLIC KEY-----\n")


def test_the_signature_is_over_the_canonical_statement(key):
    signed = sign_checkpoint(7, GENESIS.hash, key)
    assert key.public.verifies(signed.signature, b'{"head":"' + GENESIS.hash.encode() + b'","seq":7}')
    assert signed.is_genuine()
    assert not Checkpoint(8, signed.head, signed.key, signed.signature).is_genuine()
    assert not Checkpoint(7, f"sha256:{'0' * 64}", signed.key, signed.signature).is_genuine()
    assert not Checkpoint(7, signed.head, SigningKey.make().public, signed.signature).is_genuine()
    assert not Checkpoint(7, signed.head, PublicKey(b"\xff" * 32), signed.signature).is_genuine()
    assert not Checkpoint(7, signed.head, signed.key, b"\x00" * 64).is_genuine()


def test_a_checkpoint_is_a_file_of_its_own(key):
    signed = sign_checkpoint(0, GENESIS.hash, key)
    line = signed.to_json()
    assert line == canonical(signed.to_object()) + b"\n"
    assert Checkpoint.from_json(line) == signed
    assert Checkpoint.from_json(json.dumps(json.loads(line), indent=2).encode()) == signed


@pytest.mark.parametrize(
    "members",
    [
        {"seq": -1},
        {"seq": True},
        {"seq": "0"},
        {"head": "sha256:"},
        {"head": None},
        {"key_id": f"sha256:{'0' * 64}"},
        {"public_key": "AA=="},
        {"public_key": None},
        {"public_key": b64encode(b"\x00" * 32).decode()},
        {"signature": ""},
        {"signature": None},
        {"signature": "!" * 88},
        {"signature": b64encode(b"\x00" * 63).decode()},
        {"signature": "A" * 85 + "B=="},
        {"more": 1},
        {"seq": ...},
        {"signature": ...},
    ],
)
def test_a_checkpoint_is_read_strictly(key, members):
    value = {**sign_checkpoint(0, GENESIS.hash, key).to_object(), **members}
    with pytest.raises(InputError) as caught:
        Checkpoint.from_object({name: item for name, item in value.items() if item is not ...}, where="a.json")
    assert (caught.value.code, caught.value.where) == ("audit_checkpoint", "a.json")


@pytest.mark.parametrize("data", [b"", b"[]", b"null", b"x" * 5000, b'{"seq":1,"seq":1}', b"\xff"])
def test_what_is_no_checkpoint_is_refused(data):
    with pytest.raises(InputError):
        Checkpoint.from_json(data)


def test_a_rotation_fits_one_place_only(key):
    log = log_of(3)
    new = SigningKey.make().public
    signed = sign_rotation(log.head, key, new)
    assert Rotation.from_object(signed.to_object()) == signed
    assert signed.is_genuine(log.head)
    assert not signed.is_genuine(Head(2, log.events[1].hash))
    assert not signed.is_genuine(Head(log.head.seq, GENESIS.hash))
    assert not Rotation(signed.key, key.public, signed.signature).is_genuine(log.head)
    with pytest.raises(InputError, match="audit_checkpoint"):
        Rotation.from_object({**signed.to_object(), "new_key_id": key.public.id})


def test_a_checkpoint_event_holds_the_statement(key):
    log = Log()
    log.add()
    event = log.sign(key)
    assert Checkpoint.from_object(event.data).is_genuine()
    assert (event.data["seq"], event.data["head"]) == (1, log.events[0].hash)


def test_a_missing_library_is_told(monkeypatch, tmp_path):
    for name in [name for name in sys.modules if name.partition(".")[0] == "cryptography"]:
        monkeypatch.setitem(sys.modules, name, None)
    for call in (SigningKey.make, lambda: open_or_make_key(tmp_path / "k"), lambda: PublicKey(b"").verifies(b"", b"")):
        with pytest.raises(ConfigurationError) as caught:
            call()
        assert (caught.value.code, caught.value.remedy) == ("missing_extra", "pip install 'veracord[audit]'")
    assert list(tmp_path.iterdir()) == []


def test_nothing_of_the_extra_is_loaded_before_it_is_needed():
    code = (
        "import sys, veracord.audit.verification, veracord.audit.exports, veracord.audit.key_files;"
        "sys.exit(bool({'cryptography', 'prov'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], env=os.environ, check=False).returncode == 0
