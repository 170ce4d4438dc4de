"""Runs a command and prints its processor seconds, its peak memory in bytes and its exit code as one JSON line."""

import json
import os
import subprocess
import sys

child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
unit = 1 if sys.platform == "darwin" else 1024
print(
    json.dumps(
        {
            "seconds": usage.ru_utime + usage.ru_stime,
            "bytes": usage.ru_maxrss * unit,
            "code": os.waitstatus_to_exitcode(status),
        }
    )
)
