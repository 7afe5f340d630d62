"""What an optimization leaves: a folder with sources, a drop-in wrapper, a certificate and a card; and what is done
with it later.

``contents`` gives the folder's files, ``read_folder`` reads one back and believes nothing that its hashes do not say.
``replayed`` builds, judges and races its kernels anew; ``apply`` puts its wrapper into a model and ``verified`` holds
that model against itself in float64. A wrapper needs torch and nothing of ours; where a guard does not hold the user's
own code runs.

Never: a library loaded whose hash is not the certificate's, a page that asks the network, a claim without its samples.
"""

from gpu_skills.output.applying import Applied, apply, script, verified
from gpu_skills.output.certificate import Result, Work, percent_of_ceiling
from gpu_skills.output.folder import Shelved, contents, read_certificate, read_folder
from gpu_skills.output.replaying import Replayed, replayed

__all__ = [
    "Applied",
    "Replayed",
    "Result",
    "Shelved",
    "Work",
    "apply",
    "contents",
    "percent_of_ceiling",
    "read_certificate",
    "read_folder",
    "replayed",
    "script",
    "verified",
]
