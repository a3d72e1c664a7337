"""The sandbox: what a learner's process may see and do, applied in the fork before any thread starts.

Three levels, the strongest that a trial at the start finds to work:

* ``full``: namespaces of its own (as root, or as an ordinary user through a user namespace): no network, no other
  process, a root directory with nothing in it but Python and a private folder in memory; a seccomp filter; limits.
* ``partial``: Landlock hides what is in files, the seccomp filter forbids processes, network and changes to files of
  others; limits. Other processes and the names of files can be seen, but not touched.
* ``none``: limits only. The grader runs untrusted work on it only with `--trust-submissions`.
"""

from .enclosure import Enclosure, Level, open_enclosure
from .resource_limits import Limits

__all__ = ["Enclosure", "Level", "Limits", "open_enclosure"]
