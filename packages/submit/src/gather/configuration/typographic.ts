/** What is looked at of a submission's configuration. */
interface Given {
  readonly entries: Readonly<Record<string, string>>;
  readonly primaryResource: string | undefined;
  readonly mainClass: string | undefined;
}

// Word processors and web pages make these of " and ': no shell takes them for quotes.
const QUOTES = "\u201C\u201D\u201E\u201F\u2018\u2019\u201A\u201B\u2033\u2032\u00AB\u00BB";
const AT_AN_END = new RegExp(`^\\s*([${QUOTES}])|([${QUOTES}])\\s*$`);

const LONG_DASH = /(?:^|\s)["']?[\u2010-\u2015\u2212]/;

/** The typographic quotation mark that a text begins or ends with. */
export function typographicQuoteIn(text: string): string | undefined {
  const match = AT_AN_END.exec(text);
  return match?.[1] ?? match?.[2];
}

/**
 * What to say of values that begin or end with a typographic quotation mark, and of options of a JVM that begin with a
 * long dash, as those do that were copied from a page.
 */
export function typographicMarks({ entries, primaryResource, mainClass }: Given): readonly string[] {
  // A path is a URI by now, with whatever stood around it in its last part.
  const application = primaryResource?.split("/").at(-1) ?? "";
  const { "spark.app.name": name, ...others } = entries;
  const given: Readonly<Record<string, string | undefined>> = {
    ...others,
    // Unless it is one of the two that follow, for want of a name.
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
