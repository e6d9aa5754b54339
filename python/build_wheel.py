"""Builds the Python wheel of Sheaf with the standard library alone: ``python3 build_wheel.py [FOLDER]``.

Builds are reproducible: file names are sorted and time stamps are fixed.
"""

import base64
import hashlib
import os
import re
import sys
import zipfile

PACKAGES = ["sheaf", "snakemake_executor_plugin_sheaf", "toil_batch_system_sheaf"]
HERE = os.path.dirname(os.path.abspath(__file__))
METADATA = """Metadata-Version: 2.1
Name: sheaf
Version: {version}
Summary: Runs Python functions and scientific workflows on batch-scheduled clusters
License: Apache-2.0
Requires-Python: >=3.11
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: sheaf\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def version():
    with open(os.path.join(HERE, "sheaf", "__init__.py"), encoding="utf-8") as file:
        return re.search(r'__version__ = "([^"]+)"', file.read()).group(1)


def contents(number):
    """Returns the bytes of each file in the wheel: the packages, the licence and the metadata."""
    info = f"sheaf-{number}.dist-info"
    files = {}
    for package in PACKAGES:
        for name in sorted(os.listdir(os.path.join(HERE, package))):
            if name.endswith(".py"):
                with open(os.path.join(HERE, package, name), "rb") as file:
                    files[package + "/" + name] = file.read()
    with open(os.path.join(os.path.dirname(HERE), "LICENSE"), "rb") as file:
        files[info + "/LICENSE"] = file.read()
    files[info + "/METADATA"] = METADATA.format(version=number).encode()
    files[info + "/WHEEL"] = WHEEL.encode()
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    files[info + "/RECORD"] = (record + info + "/RECORD,,\n").encode()
    return files


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main(folder):
    number = version()
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"sheaf-{number}-py3-none-any.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in contents(number).items():
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data)
    print(path)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(HERE), "target"))
