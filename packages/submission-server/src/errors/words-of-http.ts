/** Hints that name commands and flags, and the same hints for clients that send requests. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /^name what driver and executors can reach themselves$/,
    "it would be a file of the service's machine: put it where the pods can reach it, such as s3a: or https:, or into the image (local:)",
  ],
  [/^specify it with --class$/, "name it as application.mainClass, or with --class among sparkSubmitArgs"],
  [/^correct -n or spark\.kubernetes\.namespace, or make it: /, "correct namespace, or have it made: "],
  [
    /^kindling list -n (\S+) shows those that are there; .*$/,
    "GET /api/v1/submissions?namespace=$1 lists those that are there",
  ],
  [/\bkindling kill (\S+)/, "DELETE /api/v1/submissions/$1"],
  [/^see kindling submit --help$/, "sparkSubmitArgs has each word of the command line by itself, without spark-submit"],
  [/, or let Kindling stage it from this machine$/, ", or name a URI that the pods can reach"],
];

/** A hint for a client of the service: most hints of a submission are the same for a command line and for a request. */
export function inWordsOfHttp(hint: string): string {
  return WORDS.reduce((text, [pattern, words]) => text.replace(pattern, words), hint);
}

/** A finding with advice for a client of the service. */
export function adviceInWords<T extends { readonly advice: string | undefined }>(finding: T): T {
  return finding.advice === undefined ? finding : { ...finding, advice: inWordsOfHttp(finding.advice) };
}
