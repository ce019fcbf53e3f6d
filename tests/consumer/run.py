#!/usr/bin/env python3
"""Installs hone, moves the tree, and builds and runs a project that finds it there.

    tests/consumer/run.py [--tarball] BUILD_DIR CXX    --tarball: unpacks what cpack makes instead
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
EXAMPLE = SOURCE / "examples/loop/loop.cc"


# What the commands find at home is nobody's.
NOBODY = tempfile.TemporaryDirectory(prefix="hone_home_")
ENVIRONMENT = os.environ | {"HOME": NOBODY.name, "XDG_DATA_HOME": NOBODY.name}


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env=ENVIRONMENT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}failed")
    return done.stdout


def expect(text, output):
    if text not in output:
        sys.exit(f"`{text}` is not in\n{output}")


def installed(build, folder):
    run("cmake", "--install", build, "--prefix", folder / "first")
    return (folder / "first").rename(folder / "moved")


def unpacked(build, folder):
    run("cpack", "--config", build / "CPackConfig.cmake", "-B", folder)
    (tarball,) = folder.glob("hone-*.tar.gz")
    shutil.unpack_archive(tarball, folder / "unpacked")
    (tree,) = (folder / "unpacked").iterdir()
    return tree


def check_relocatable(tree, build):
    """No file of the package names the folders that it was made in."""
    for file in (tree / "lib/cmake/hone").iterdir():
        for place in (SOURCE, build, tree.parent):
            if str(place) in file.read_text():
                sys.exit(f"{file.name} names {place}")


def check_command(tree):
    hone = tree / "bin/hone"
    expect("hone ", run(hone, "--version"))
    expect("prime", run(hone, "prompt", "Name a prime above 90", "--regex", "^9[0-9]$"))


TASK = """task: Say hello.
check:
  - python: return output.strip() == "hello"
  - lua: 'return #output > 4'
  - prolog: 'valid :- output(O), sub_string(O, 0, _, _, "hello").'
"""


def check_worker(tree, folder):
    """Checks written as code find hone-worker in this tree, and say where it should be when it is gone."""
    (folder / "task.yaml").write_text(TASK)
    (folder / "output.txt").write_text("hello\n")
    evaluate = [tree / "bin/hone", "eval", folder / "task.yaml", "--output", folder / "output.txt"]
    expect("passed 1.00", run(*evaluate))
    expect("python", run(tree / "bin/hone", "doctor", "--json"))
    worker = tree / "libexec/hone/hone-worker"
    worker.rename(folder / "away")
    done = subprocess.run(evaluate, capture_output=True, text=True, env=ENVIRONMENT)
    (folder / "away").rename(worker)
    if done.returncode == 0 or "libexec/hone" not in done.stdout + done.stderr:
        sys.exit(f"without its worker:\n{done.stdout}{done.stderr}failed")


def check_project(tree, folder, compiler):
    project = folder / "project"
    run("cmake", "-S", HERE, "-B", project, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={tree}",
        f"-DCMAKE_CXX_COMPILER={compiler}", f"-DEXAMPLE={EXAMPLE}")
    run("cmake", "--build", project, "-j", "2")
    expect("passed at attempt 4", run(project / "loop"))
    said = run(project / "parts")
    expect("Say HELLO, 2 checks", said)
    expect("Lua says 42", said)


def main():
    words = [word for word in sys.argv[1:] if word != "--tarball"]
    build, compiler = pathlib.Path(words[0]).resolve(), words[1]
    make = unpacked if "--tarball" in sys.argv else installed
    with tempfile.TemporaryDirectory(prefix="hone_consumer_") as name:
        folder = pathlib.Path(name)
        tree = make(build, folder)
        check_relocatable(tree, build)
        check_command(tree)
        check_worker(tree, folder)
        check_project(tree, folder, compiler)
    print("found, built and run")


main()
