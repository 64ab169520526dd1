/** A command that is the executable of another package. */
export interface CommandOfPackage {
  readonly name: string;
  readonly summary: string;
  /** The npm package to install. */
  readonly package: string;
  /** Its subcommands. */
  readonly commands: readonly string[];
}

/** The commands that packages of Kindling bring, for hints and for shells. */
export const COMMANDS_OF_PACKAGES: readonly CommandOfPackage[] = [
  {
    name: "dev",
    summary: "a Kubernetes on this machine, for development",
    package: "@kindling/dev",
    commands: ["up", "status", "env", "down", "run", "watch", "connect"],
  },
  {
    name: "serve",
    summary: "submit for others, over HTTP",
    package: "@kindling/submission-server",
    commands: [],
  },
  {
    name: "staging-server",
    summary: "serve staged files to pods",
    package: "@kindling/staging-server",
    commands: [],
  },
];
