/** The parts of a submission's configuration that are checked here. */
interface Given {
  readonly entries: Readonly<Record<string, string>>;
  readonly primaryResource: string | undefined;
  readonly mainClass: string | undefined;
}

// Word processors and web pages replace " and ' with these: no shell takes them as quotes.
const QUOTES = "\u201C\u201D\u201E\u201F\u2018\u2019\u201A\u201B\u2033\u2032\u00AB\u00BB";
const AT_AN_END = new RegExp(`^\\s*([${QUOTES}])|([${QUOTES}])\\s*$`);

const LONG_DASH = /(?:^|\s)["']?[\u2010-\u2015\u2212]/;

/** The typographic quotation mark that a text begins or ends with. */
export function typographicQuoteIn(text: string): string | undefined {
  const match = AT_AN_END.exec(text);
  return match?.[1] ?? match?.[2];
}

/**
 * Notices about values that begin or end with a typographic quotation mark, and about JVM options that begin with a long
 * dash. Both come from copying a web page.
 */
export function typographicMarks({ entries, primaryResource, mainClass }: Given): readonly string[] {
  // The path is a URI by now; a quotation mark around it is in its last part.
  const application = primaryResource?.split("/").at(-1) ?? "";
  const { "spark.app.name": name, ...others } = entries;
  const given: Readonly<Record<string, string | undefined>> = {
    ...others,
    // Unless the name was taken from one of the two that follow.
    "spark.app.name": name === mainClass || name === application ? undefined : name,
    "--class": mainClass,
    "the application's path": application,
  };
  const quotes = Object.entries(given).flatMap(([what, value = ""]) => remarkOn(what, typographicQuoteIn(value)));
  const dashes = Object.entries(entries).flatMap(([key, value]) =>
    key.endsWith("JavaOptions") && LONG_DASH.test(value)
      ? [`${key}: an option begins with a long dash (– or —); a JVM takes only the short one, -`]
      : [],
  );
  return [...quotes, ...dashes];
}

function remarkOn(what: string, quote: string | undefined): string[] {
  return quote === undefined
    ? []
    : [`${what}: the quotation mark ${quote} is part of the value; a shell takes only straight ones, " and '`];
}
