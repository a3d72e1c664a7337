"""A seccomp filter: the system calls that no exercise needs fail with EPERM, whatever rights there are.

It is the second wall behind the namespaces, and the first one where there are none: no new process, no program, no
network, no look into another process, no lock or watch that another learner could notice. Threads of one's own stay possible.

The table is by hand since no binding is safer than it: of those that the package index has without a compiler, pyseccomp (of
2021) needs the system's libseccomp, and seccompy (of 2026, 0.2) is too young to be a wall. All numbers here were compared with
the table that seccompy makes from the kernel's headers, and agree.
"""

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Mapping, Sequence

from . import linux_calls as kernel

# Number on x86_64, number on aarch64; None where that architecture has no such call.
_FORBIDDEN: dict[str, tuple[int | None, int | None]] = {
    # new processes and programs
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    # network; a Jupyter kernel may accept on the sockets that were handed to it
    "connect": (42, 203), "bind": (49, 200), "listen": (50, 201), "socket": (41, 198),
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424), "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "setpriority": (141, 140), "ioprio_set": (251, 30),
    "migrate_pages": (256, 238), "move_pages": (279, 239),
    "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180),
    # the file system's shape
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97),
    "setns": (308, 268), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "quotactl": (179, 60), "fanotify_init": (300, 262), "acct": (163, 89),
    # the kernel and the machine
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "keyctl": (250, 219), "add_key": (248, 217),
    "request_key": (249, 218), "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "reboot": (169, 142), "swapon": (167, 224),
    "swapoff": (168, 225), "syslog": (103, 116), "settimeofday": (164, 170), "clock_settime": (227, 112),
    "clock_adjtime": (305, 266), "adjtimex": (159, 171), "sethostname": (170, 161), "setdomainname": (171, 162),
    "personality": (135, 92), "lookup_dcookie": (212, 18), "vhangup": (153, 58), "modify_ldt": (154, None),
    "iopl": (172, None), "ioperm": (173, None), "uselib": (134, None),
    # memory that belongs to no process, so that no limit on one counts it
    "memfd_create": (319, 279), "memfd_secret": (447, 447),
    # messages between learners: each can lock, or watch, a file of Python's that the other one sees too
    "flock": (73, 32), "inotify_init": (253, None), "inotify_init1": (294, 26), "inotify_add_watch": (254, 27),
}  # fmt: skip
# Where files of others can be named: their modes, owners, times and flags, and the folder that one stands in. Landlock leaves
# all of these open to whoever owns the file.
_FORBIDDEN_AMONG_FILES: dict[str, tuple[int | None, int | None]] = {
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "lchown": (94, None), "fchown": (93, 55), "fchownat": (260, 54),
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88),
    "chdir": (80, 49), "fchdir": (81, 50), "truncate": (76, 45),
    "file_getattr": (468, 468), "file_setattr": (469, 469), "quotactl_fd": (443, 443),
}  # fmt: skip
# Extended attributes: as on a file system that has none, which programs that copy files expect.
_NO_ATTRIBUTES: dict[str, tuple[int | None, int | None]] = {
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "getxattr": (191, 8), "lgetxattr": (192, 9),
    "fgetxattr": (193, 10), "listxattr": (194, 11), "llistxattr": (195, 12), "flistxattr": (196, 13), "removexattr": (197, 14),
    "lremovexattr": (198, 15), "fremovexattr": (199, 16), "setxattrat": (463, 463), "getxattrat": (464, 464),
    "listxattrat": (465, 465), "removexattrat": (466, 466),
}  # fmt: skip
_CONDITIONAL = {"clone": (56, 220), "kill": (62, 129), "tgkill": (234, 131), "prlimit64": (302, 261)}
# Calls that name a process by their first argument: 0 and the own number are the learner's own process. glibc asks for the
# processors of a thread, and goes on without them where the kernel knows no such call.
_OF_A_PROCESS: dict[str, tuple[int, int]] = {
    "sched_setaffinity": (203, 122),
    "sched_getaffinity": (204, 123),
    "sched_setparam": (142, 118),
    "sched_getparam": (143, 121),
    "sched_setscheduler": (144, 119),
    "sched_getscheduler": (145, 120),
    "sched_rr_get_interval": (148, 127),
    "sched_setattr": (314, 274),
    "sched_getattr": (315, 275),
    "getpgid": (121, 155),
    "getsid": (124, 156),
    "get_robust_list": (274, 100),
}
# With these glibc asks for the policy and priority of one of its own threads, whose number a filter cannot know, and sets them.
# ZeroMQ aborts where that fails. They return 0, the usual policy, and do nothing.
_OF_A_THREAD = frozenset({"sched_getparam", "sched_getscheduler", "sched_setparam", "sched_setscheduler"})
_OF_A_PROCESS_SECOND: dict[str, tuple[int, int]] = {"getpriority": (140, 141), "ioprio_get": (252, 31)}
_BY_COMMAND = {"fcntl": (72, 25), "setsockopt": (54, 208), "ioctl": (16, 29)}
# What lies in pipes and sockets is no process's memory either: they keep the size that they come with. F_SETPIPE_SZ;
# SO_SNDBUF, SO_RCVBUF and the two that force them.
_SET_PIPE_SIZE, _SET_BUFFERS = (1031,), (7, 8, 32, 33)
# Who gets a descriptor's signals (F_SETOWN, F_SETSIG, F_SETOWN_EX; FIOSETOWN, SIOCSPGRP): it could be another process.
_SET_OWNER, _SET_OWNER_BY_IOCTL = (8, 10, 15), (0x8901, 0x8902)
# F_SETLEASE and F_NOTIFY watch a file or folder.
_WATCH_FILES = (1024, 1026)
# F_SETLK, F_SETLKW and their like for open files are granted, and lock nothing: SQLite wants them for a file of one's own.
_LOCK = (6, 7, 37, 38)
# A file's flags and project (FS_IOC_SETFLAGS in two widths, FS_IOC_FSSETXATTR, FS_IOC_SETVERSION in two).
_SET_FLAGS = (0x40086602, 0x40046602, 0x401C5820, 0x40087602, 0x40047602)
_CLONE3 = 435
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000  # x86_64's other set of numbers for the same calls

_CLONE_THREAD = 0x00010000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_REFUSE = 0x00050000 | errno.EPERM
_UNKNOWN = 0x00050000 | errno.ENOSYS
_UNSUPPORTED = 0x00050000 | errno.ENOTSUP
_PRETEND = 0x00050000  # the call returns 0 and does nothing
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16


def available() -> bool:
    """Return True if the filter is written for this machine."""
    return platform.system() == "Linux" and platform.machine() in _ARCHITECTURES


def program(own_pid: int, *, files_of_others: bool = False) -> bytes:
    """Return the filter as the kernel takes it.

    Parameters
    ----------
    own_pid : int
        The only process that may be signalled or asked about.
    files_of_others : bool
        True where files beyond the private folder can be named, since no root directory of its own hides them.
    """
    column, architecture = _ARCHITECTURES[platform.machine()]
    steps: list[bytes] = []

    def step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> None:
        steps.append(struct.pack("HBBI", code, if_true, if_false, value))

    def never(calls: Mapping[str, tuple[int | None, int | None]], answer: int) -> None:
        """Answer these calls so, whatever their arguments."""
        for numbers in calls.values():
            if numbers[column] is not None:
                step(_EQUAL, numbers[column] or 0, 0, 1)
                step(_RETURN, answer)

    def only_if(number: int, test: int, values: Sequence[int], answer: int = _REFUSE, position: int = 0) -> None:
        """Give this answer to call `number` unless its argument at `position`, counted from 0, passes the test with a value."""
        step(_EQUAL, number, 0, len(values) + 3)
        step(_LOAD, _FIRST_ARGUMENT + 8 * position)
        for index, value in enumerate(values):
            step(test, value, len(values) - index, 0)
        step(_RETURN, answer)
        step(_RETURN, _ALLOW)

    def not_with(number: int, position: int, *answers: tuple[Sequence[int], int]) -> None:
        """Answer call `number` so where its argument at `position`, counted from 0, is one of the values."""
        step(_EQUAL, number, 0, 2 * sum(len(values) for values, _ in answers) + 2)
        step(_LOAD, _FIRST_ARGUMENT + 8 * position)
        for values, answer in answers:
            for value in values:
                step(_EQUAL, value, 0, 1)
                step(_RETURN, answer)
        step(_RETURN, _ALLOW)

    step(_LOAD, _ARCHITECTURE)
    step(_EQUAL, architecture, 1, 0)
    step(_RETURN, _KILL)
    step(_LOAD, _NUMBER)
    step(_AT_LEAST, _X32, 0, 1)
    step(_RETURN, _REFUSE)
    never(_FORBIDDEN, _REFUSE)
    if files_of_others:
        never(_FORBIDDEN_AMONG_FILES, _REFUSE)
        never(_NO_ATTRIBUTES, _UNSUPPORTED)
    # clone3's flags lie in memory, where a filter cannot look; if the call fails with ENOSYS, libc uses clone.
    step(_EQUAL, _CLONE3, 0, 1)
    step(_RETURN, _UNKNOWN)
    only_if(_CONDITIONAL["clone"][column], _ANY_BIT, [_CLONE_THREAD])
    only_if(_CONDITIONAL["kill"][column], _EQUAL, [own_pid])
    only_if(_CONDITIONAL["tgkill"][column], _EQUAL, [own_pid])
    only_if(_CONDITIONAL["prlimit64"][column], _EQUAL, [0])
    for name, numbers in _OF_A_PROCESS.items():
        only_if(numbers[column], _EQUAL, [0, own_pid], _PRETEND if name in _OF_A_THREAD else _UNKNOWN)
    for numbers in _OF_A_PROCESS_SECOND.values():
        only_if(numbers[column], _EQUAL, [0, own_pid], position=1)
    refused = _SET_PIPE_SIZE + _SET_OWNER + _WATCH_FILES
    not_with(_BY_COMMAND["fcntl"][column], 1, (refused, _REFUSE), (_LOCK, _PRETEND))
    not_with(_BY_COMMAND["setsockopt"][column], 2, (_SET_BUFFERS, _REFUSE))
    not_with(_BY_COMMAND["ioctl"][column], 1, (_SET_OWNER_BY_IOCTL + (_SET_FLAGS if files_of_others else ()), _REFUSE))
    step(_RETURN, _ALLOW)
    return b"".join(steps)


def install(*, files_of_others: bool = False) -> None:
    """Put the filter on this process for good. It must have one thread only, and no new privileges."""
    body = program(os.getpid(), files_of_others=files_of_others)
    buffer = ctypes.create_string_buffer(body, len(body))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(body) // 8, ctypes.addressof(buffer)))
    kernel.prctl(kernel.PR_SET_SECCOMP, 2, ctypes.addressof(header))
