/**
 * All of Git's configuration; the machine's and the account's are not read. Objects from outside are checked as they arrive,
 * except for the three flaws that old, honest repositories have. Large files go through in pieces instead of through memory.
 */
export const gitConfiguration = `[core]
\thooksPath = /dev/null
\tbigFileThreshold = 16m
[init]
\tdefaultBranch = main
[gc]
\tautoDetach = false
\tpackRefs = false
[fetch]
\tfsckObjects = true
[fetch "fsck"]
\tbadTimezone = ignore
\tmissingSpaceBeforeDate = ignore
\tzeroPaddedFilemode = ignore
[protocol]
\tallow = never
[protocol "ssh"]
\tallow = always
[protocol "https"]
\tallow = always
[protocol "http"]
\tallow = always
[protocol "file"]
\tallow = always
[http]
\tlowSpeedLimit = 1
\tlowSpeedTime = 30
[safe]
\tdirectory = *
`;
