/**
 * The complete configuration of Git; that of the machine and the account is ignored. Fetched objects are verified, except for three
 * flaws that are common in old, legitimate repositories. Large files are streamed instead of loaded into memory.
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
