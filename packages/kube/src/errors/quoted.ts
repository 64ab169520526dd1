/** How much of an answer's text an error quotes, in bytes of UTF-8: a server may answer with megabytes. */
export const MOST_QUOTED_BYTES = 1024;

const ELLIPSIS = "…";
const ELLIPSIS_BYTES = 3;
const MOST_BYTES_OF_A_UNIT = 3;

/** A text from outside, cut to so many bytes; an ellipsis at the end shows that something was cut off. */
export function quoted(text: string, mostBytes: number = MOST_QUOTED_BYTES): string {
  // A UTF-16 unit takes at most three bytes, so most texts need not be measured.
  if (text.length * MOST_BYTES_OF_A_UNIT <= mostBytes) return text;
  const bytes = Buffer.from(text.slice(0, mostBytes + 1), "utf8");
  if (bytes.length <= mostBytes) return text;
  if (mostBytes < ELLIPSIS_BYTES) return "";
  let end = mostBytes - ELLIPSIS_BYTES;
  // RFC 3629, 3: bytes 10xxxxxx continue a character, which must not be cut in two.
  while (end > 0 && ((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end--;
  return `${bytes.toString("utf8", 0, end)}${ELLIPSIS}`;
}

/** The cause of an error, shortened: it may quote long texts, such as the names in certificates. */
export function quotedCause(cause: Error): Error {
  if (quoted(cause.message) === cause.message) return cause;
  const { code } = cause as NodeJS.ErrnoException;
  return Object.assign(new Error(quoted(cause.message)), code === undefined ? {} : { code });
}

const LONGEST_SHOWN_VALUE = 40;

/**
 * Method and path of a request as errors name it. Resource versions and continue tokens come from the server and may be long;
 * the rest comes from the caller, and one line is enough to recognise the request.
 */
export function shownPath(path: string): string {
  if (path.length <= LONGEST_SHOWN_VALUE) return path;
  const shortened = path.replaceAll(
    /([?&](?:continue|resourceVersion)=)([^&]*)/g,
    (_all, name: string, value: string) =>
      value.length <= LONGEST_SHOWN_VALUE
        ? `${name}${value}`
        : `${name}${value.slice(0, LONGEST_SHOWN_VALUE)}${ELLIPSIS}`,
  );
  return quoted(shortened);
}
