import { settingsReference } from "@kindling/service/settings";
import { SERVE_KEYS } from "./serve-keys.ts";

/** The reference of settings as Markdown, made from the declared schema. */
export function configReference(): string {
  return settingsReference(SERVE_KEYS, INTRODUCTION);
}

const INTRODUCTION = `# Settings of \`kindling serve\`

You can give each setting in a properties file (\`--config FILE\` or \`KINDLING_SERVE_CONFIG\`), in the environment, or on the command line.
The command line wins over the environment, and the environment over the file. A setting \`listen.port\` is \`--listen-port\` as a flag and
\`KINDLING_SERVE_LISTEN_PORT\` in the environment. Sizes are written as \`512k\` or \`1m\`, durations as \`30s\` or \`10min\`.
`;
