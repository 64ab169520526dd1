import { REDACTED, withoutUriSecrets } from "@kindling/core-spec";

// Keys with values that must stay private: Spark's default for spark.redaction.regex (internal/config/package.scala), and the
// names that cloud stores and others use.
const SECRET =
  "secret|password|passwd|passphrase|credential|token|oauth|(?:access|api|private|account|encryption)[._-]?key|client[._-]?key[._-]?data|[._-]sas(?:[._-]|$)";
const SECRET_KEY = new RegExp(SECRET, "i");

// HTTP headers that prove who sends the request (RFC 9110, 11.6; RFC 6265).
const SECRET_HEADER = /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i;

// Settings inside a value: -Djavax.net.ssl.keyStorePassword=…, "password": "…", \"password\": \"…\", --password …. The text
// between has a bounded length: otherwise a value with many such words would take quadratic time.
const GAP = "(?:\\s|\\\\\\n){0,16}";
// `secretName: vault` names a secret but is none; the same is true for `"secret": {`.
const KEY = `(?:${SECRET})[\\w.-]{0,64}(?<!secret(?:Name|KeyRef|Ref))`;
const NO_BRACKET = "(?![{[](?:\\s|$))";
// Scala writes the entries of a map as `password -> …`.
const SETTING = `${KEY}\\\\{0,8}["']?${GAP}(?::=|=>|->|[=:])${GAP}`;
const SECRET_SETTING = new RegExp(
  [
    `${SETTING}(?:"""(?<block>(?:(?!""")[^]){1,65536})"""|` +
      `(?<open>\\\\{0,8}["'])(?<quoted>(?:(?!\\k<open>)(?:\\\\[^]|[^\\n\\\\])){1,65536})\\k<open>|` +
      `\\\\{0,8}["']{0,3}${NO_BRACKET}(?<set>(?:\\\\[^]|[^\\s"'\\\\])+))`,
    `(?<![\\w.-])--?[\\w.-]{0,64}(?:${SECRET})[\\w.-]{0,64}\\s{1,16}["']?(?<given>[^\\s"']+)`,
    // Authorization: Bearer …, Basic …: an ordinary word of a sentence has no digit.
    `\\b(?:Bearer|Basic)\\s{1,16}(?=[^\\s"']{0,256}[\\d=])(?<proof>[\\w+/=.~-]{6,})`,
    // Oracle's own form of a user and password.
    `jdbc:oracle:\\w{1,16}:[^\\s/@]{1,128}/(?<login>[^\\s@]{1,256})@`,
    // A token in the form of JWT (RFC 7519), and a private key (RFC 7468).
    `\\b(?<jwt>eyJ[\\w-]{8,512}\\.[\\w-]{8,}\\.[\\w-]*)`,
    `(?<pem>-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----(?:(?!-----)[^]){0,65536})`,
  ].join("|"),
  "gi",
);

// The whole line is one setting, and its value may contain blanks.
const SETTING_ALONE = new RegExp(
  `^\\s{0,64}(?:[#;!/]{1,4}\\s{0,16})?(?:export\\s{1,16})?["']?[\\w.-]{0,64}${KEY}["']?\\s{0,16}[=:]\\s{0,16}${NO_BRACKET}(?<value>[^\\s"'].*)$`,
  "is",
);

export const REDACTION_KEY = "spark.redaction.regex";

type Entries = Readonly<Record<string, string>>;

/** Tells whether a setting looks like a secret: by its key or by its value. */
export type IsSecret = (key: string, value: string) => boolean;

/**
 * What counts as a secret for a configuration. Its own `spark.redaction.regex` is added to the built-in patterns. If only
 * Java can read that pattern, every value counts as a secret.
 *
 * @param sure whether to count only values that are secrets themselves. Spark hides a value as well if the pattern is found in
 *   the value (Utils.redact): with a pattern such as `token`, it hides the name of an application `token-service`.
 */
export function secretsBy(entries: Entries, sure = false): IsSecret {
  const own = pattern(entries[REDACTION_KEY]);
  const matches = (text: string): boolean => (own === "unreadable" ? !sure : own?.test(text) === true);
  return (key, value) =>
    key !== REDACTION_KEY && (isSecretSetting(key, value) || matches(key) || (!sure && matches(value)));
}

/** Replaces the values of keys that look like secrets (Utils.redact). */
export function redact(entries: Entries): Record<string, string> {
  const isSecret = secretsBy(entries);
  return Object.fromEntries(
    Object.entries(entries).map(([key, value]) => [key, isSecret(key, value) ? REDACTED : value]),
  );
}

export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key) || SECRET_HEADER.test(key);
}

/** Whether a key or its value looks like a secret. */
function isSecretSetting(key: string, value: string): boolean {
  if (isSecretKey(key) || holdsSecretSetting(value) || withoutUserInfo(value) !== value) return true;
  const plain = percentDecoded(value);
  return plain !== value && (holdsSecretSetting(plain) || withoutUserInfo(plain) !== plain);
}

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** After the colon of a host there is a port. Where there is a user alone, nothing tells whether it is a name or a token. */
const PASSWORD_IN_URI = /:\/\/[^\s/?#"'@:]{0,256}:(?!\d{1,5}[/?#])(?<password>[^\s"'@]{1,1024})@/g;

/** The passwords in the URIs of a text. */
export function passwordsIn(text: string): string[] {
  return Array.from(text.matchAll(PASSWORD_IN_URI), ({ groups }) => groups?.["password"] ?? "");
}

/** Whether a text sets something that looks like a secret. */
export function holdsSecretSetting(text: string): boolean {
  return secretSettingsIn(text).length > 0;
}

/** A text without users and passwords in its URIs, and without the queries of http URIs. */
export function withoutUserInfo(text: string): string {
  return withoutUriSecrets(text, REDACTED);
}

/** The values of what looks like a secret inside a text. */
export function secretSettingsIn(text: string): string[] {
  return Array.from(text.matchAll(SECRET_SETTING), ({ groups }) => valueOf(groups));
}

/** A text in which each value that looks like a secret is replaced. */
export function replaceSecretSettings(text: string, replace: (secret: string) => string): string {
  return text.replace(SECRET_SETTING, (...match: unknown[]) => {
    const [whole] = match as [string];
    const value = valueOf(match.at(-1) as Groups);
    const start = whole.lastIndexOf(value);
    return whole.slice(0, start) + replace(value) + whole.slice(start + value.length);
  });
}

type Groups = Readonly<Record<string, string | undefined>> | undefined;

function valueOf(groups: Groups): string {
  const { open: _, ...values } = groups ?? {};
  return Object.values(values).find((value) => value !== undefined) ?? "";
}

/** The value of a line that contains only the setting of a secret, including blanks in the value. */
export function settingAlone(line: string): string | undefined {
  return SETTING_ALONE.exec(line)?.groups?.["value"];
}

// A file, a name, a switch: a value with such a key describes a secret and is none itself.
const ABOUT_SECRETS =
  /(?:file|name|path|dir|class|provider|providers|enabled|type|interval|renewal|ratio|expiration|endpoint|port|itemKey|pullSecrets)$|\.(?:secrets|secretKeyRef)\./i;
const PLAIN_VALUE = /^(?:true|false|none|null|-?[\d.]+(?:[a-z]{1,2})?|(?:org|com|io|net|java)\.[\w.$]+)$/i;

/** Whether a key names something about a secret, such as the file that contains it. */
export function isAboutSecrets(key: string): boolean {
  return ABOUT_SECRETS.test(key);
}

/** The secrets of a configuration themselves, which may not be shown anywhere. */
export function secretsIn(entries: Entries): string[] {
  const isSecret = secretsBy(entries, true);
  const own = pattern(entries[REDACTION_KEY]);
  const names = namesIn(entries);
  return Object.entries(entries).flatMap(([key, value]) => {
    const inside = secretSettingsIn(value);
    const isWhole =
      isSecretKey(key) || (inside.length === 0 && withoutUserInfo(value) === value && isSecret(key, value));
    const whole = isWhole && !isAboutSecrets(key) && !names.has(value) ? [value] : [];
    const found = key === REDACTION_KEY || !(own instanceof RegExp) ? [] : secretPieces(value, own);
    return [...whole, ...inside, ...passwordsIn(value), ...found].filter(mayBeSecret);
  });
}

const NAMES =
  /^spark\.(?:master|app\.(?:name|id)|kubernetes\.(?:namespace|context|scheduler\.name|.*(?:container\.image|serviceAccountName|pod\.name|podNamePrefix))|kindling\.queue)$/;

/** What an application, its pods and its place are called: removed from all texts, these would say nothing any more. */
function namesIn(entries: Entries): ReadonlySet<string> {
  return new Set(Object.entries(entries).flatMap(([key, value]) => (NAMES.test(key) ? [value] : [])));
}

const SHORTEST_PIECE = 8;

/**
 * What a user's own pattern finds in a value. A pattern may describe a secret, such as `AKIA[A-Z0-9]{16}`, or a word, such as
 * `token`: a word has no digit.
 */
function secretPieces(value: string, own: RegExp): string[] {
  const found = Array.from(value.matchAll(new RegExp(own, "gi")), ([piece]) => piece);
  return found.filter((piece) => piece.length >= SHORTEST_PIECE && /\d/.test(piece));
}

const SHORTEST_SECRET = 3;

/** Whether a text may be a secret: a switch, a number, a class or a syllable would be removed from ordinary texts. */
export function mayBeSecret(text: string): boolean {
  return text.length >= SHORTEST_SECRET && !PLAIN_VALUE.test(text);
}

// Syntax that only Java's patterns have, or that JavaScript reads in another way (java.util.regex.Pattern).
const JAVA_ONLY = /\\[pPQEAzZGhHRXv]|[*+?}]\+|\(\?>|\(\?[a-z-]+[:)]|&&/;

function pattern(text: string | undefined): RegExp | "unreadable" | undefined {
  if (text === undefined || text === "") return undefined;
  // Java writes "ignore case" into the pattern; JavaScript has a flag for it.
  const source = text.replaceAll("(?i)", "").replaceAll("(?i:", "(?:");
  if (JAVA_ONLY.test(source)) return "unreadable";
  try {
    return new RegExp(source, "i");
  } catch {
    return "unreadable";
  }
}
