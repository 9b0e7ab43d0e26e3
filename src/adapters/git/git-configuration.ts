/** See git-fsck(1). */
const acceptedFlaws = [
  ...['badDate', 'badDateOverflow', 'badEmail', 'badName', 'badTimezone', 'zeroPaddedDate'],
  ...['missingAuthor', 'missingCommitter', 'missingEmail', 'missingNameBeforeEmail', 'multipleAuthors', 'nulInCommit'],
  ...['missingSpaceBeforeDate', 'missingSpaceBeforeEmail'],
  ...['badFilemode', 'duplicateEntries', 'treeNotSorted', 'zeroPaddedFilemode'],
  ...['badTagName', 'extraHeaderEntry', 'missingTaggerEntry'],
];

/**
 * The complete configuration of Git; that of the machine and the account is ignored. Fetched objects are verified, except for the flaws
 * of old, legitimate repositories: files are read by their paths from one tree, for which authors, dates, tags and the order of a tree do not
 * matter. Names in a tree that could lead out of it stay refused. Git ignores a flaw that its version does not know. Large files are streamed instead of loaded into memory.
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
${acceptedFlaws.map((flaw) => `\t${flaw} = ignore\n`).join('')}[protocol]
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
