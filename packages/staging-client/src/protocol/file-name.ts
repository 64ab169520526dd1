const SEGMENT_MAX_BYTES = 255;
const NAME_MAX_BYTES = 1024;
const MAX_SEGMENTS = 16;

// Control characters, and those that Windows or a shell would read as structure.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\\:*?"<>|\u2028\u2029\ufffd]/u;

/** Why a name cannot name a file of a bundle, in words; `undefined` if it can. */
export function fileNameFault(name: string): string | undefined {
  if (name === "") return "it is empty";
  if (/\p{Surrogate}/u.test(name)) return "it is not valid Unicode";
  if (Buffer.byteLength(name) > NAME_MAX_BYTES) return `it is longer than ${NAME_MAX_BYTES} bytes`;
  if (name.normalize("NFC") !== name) return "it is not in Unicode normalization form C";
  if (FORBIDDEN.test(name)) return 'it has a control character or one of \\ : * ? " < > |';
  const segments = name.split("/");
  if (segments.length > MAX_SEGMENTS) return `it has more than ${MAX_SEGMENTS} parts`;
  for (const segment of segments) {
    if (segment === "") return "it has an empty part";
    if (segment === "." || segment === "..") return `it has a part "${segment}"`;
    if (Buffer.byteLength(segment) > SEGMENT_MAX_BYTES) return `it has a part longer than ${SEGMENT_MAX_BYTES} bytes`;
  }
  return undefined;
}

/**
 * The first two names of a list that clash: they are equal, differ only in case (some file systems ignore it), or one is
 * a directory of the other. `undefined` if no names clash.
 */
export function collidingNames(names: Iterable<string>): readonly [string, string] | undefined {
  const files = new Map<string, string>();
  const directories = new Map<string, string>();
  for (const name of names) {
    const folded = name.toLowerCase();
    const other = files.get(folded) ?? directories.get(folded);
    if (other !== undefined) return [other, name];
    files.set(folded, name);
    for (let slash = folded.indexOf("/"); slash !== -1; slash = folded.indexOf("/", slash + 1)) {
      const directory = folded.slice(0, slash);
      const file = files.get(directory);
      if (file !== undefined) return [file, name];
      directories.set(directory, name);
    }
  }
  return undefined;
}
