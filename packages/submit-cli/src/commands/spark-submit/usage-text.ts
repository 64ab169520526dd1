import { FLAGS } from "@kindling/spark-arguments";

// The flags for which this command has spark-submit's defaults, and not those of `kindling submit`.
const OWN_HELP: Readonly<Record<string, string>> = {
  "--master": "k8s://https://host:port, or what the real spark-submit takes (default local[*])",
  "--deploy-mode": "cluster, or client, which is handed to the real spark-submit (default client)",
  "--verbose": "print the configuration",
};

/** The text of `spark-submit --help`. */
export function usageText(): string {
  const rows = FLAGS.filter(({ section }) => section !== "kindling").map((flag) => {
    const short = flag.short === undefined ? "" : `${flag.short}, `;
    const value = flag.value === undefined ? "" : ` ${flag.value}`;
    return [`${short}${flag.name}${value}`, OWN_HELP[flag.name] ?? flag.help] as const;
  });
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    "Usage: spark-submit [options] <app jar | python file | R file> [app arguments]",
    "Usage: spark-submit --kill [submission ID] --master [k8s://...]",
    "Usage: spark-submit --status [submission ID] --master [k8s://...]",
    "",
    "Options:",
    ...rows.map(([name, help]) => `  ${name.padEnd(width)}  ${help}`),
    "",
  ].join("\n");
}
