"""Runs a program that may make only the system calls of systemd's sets: ALLOWED DENIED PROGRAM ..."""
import errno
import os
import subprocess
import sys

import seccomp


def read_sets():
    sets, current = {}, None
    listed = subprocess.run(["systemd-analyze", "syscall-filter"], capture_output=True, text=True)
    for line in listed.stdout.splitlines():
        if line.startswith("@"):
            current = sets.setdefault(line.strip(), [])
        elif line.startswith("    ") and current is not None and not line.strip().startswith("#"):
            current.append(line.strip())
        elif not line.strip():
            current = None
    return sets


SETS = read_sets()


def calls_of(name):
    if not name.startswith("@"):
        return {name}
    return set().union(*(calls_of(each) for each in SETS[name]))


allowed, denied, *command = sys.argv[1:]
calls = (calls_of(allowed) | calls_of("@default")) - calls_of(denied)
seccomp_filter = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
for call in sorted(calls):
    try:
        seccomp_filter.add_rule(seccomp.ALLOW, call)
    except (RuntimeError, ValueError):
        pass  # A call of another processor.
seccomp_filter.load()
os.execvp(command[0], command)
