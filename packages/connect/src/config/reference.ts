import { settingsReference } from "@kindling/service/settings";
import { CONNECT_KEYS } from "./connect-keys.ts";

/** The reference of settings as Markdown, made from the declared schema. */
export function configReference(): string {
  return settingsReference(CONNECT_KEYS, INTRODUCTION);
}

const INTRODUCTION = `# Settings of the connect service

You can give each setting in a properties file (\`--config FILE\` or \`KINDLING_CONNECT_CONFIG\`), in the environment, or on the command line.
The command line wins over the environment, and the environment over the file. A setting \`listen.port\` is \`--listen-port\` as a flag and
\`KINDLING_CONNECT_LISTEN_PORT\` in the environment. Sizes are written as \`512k\` or \`20g\`, durations as \`30s\`, \`10min\` or \`30d\`.
`;
