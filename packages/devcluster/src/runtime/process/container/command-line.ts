import { type Variable, expand } from "../../../objects/variable.ts";
import type { Container } from "../../../objects/pod.ts";
import type { ProcessImage } from "../process-image.ts";
import type { ContainerUser } from "./container-user.ts";

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * The command line of a container: its `command` instead of the image's entry point, its `args` instead of the image's
 * command, with `$(NAME)` replaced.
 */
export function commandLine(
  { command = [], args = [] }: Container,
  image: ProcessImage,
  variables: readonly Variable[],
): string[] {
  const known = new Map(variables.map(({ name, value }) => [name, value]));
  const own = [...command, ...args].length === 0 ? image.command : args;
  const line = command.length > 0 ? [...command, ...args] : [...image.entrypoint, ...own];
  return line.map((word) => expand(word, known));
}

/** A container's whole environment: the variables that runtimes set, then the image's, then the container's own. */
export function containerEnvironment(
  variables: readonly Variable[],
  image: ProcessImage,
  user: ContainerUser,
  hostname: string,
): Record<string, string> {
  const own = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  return { PATH, HOSTNAME: hostname, HOME: user.home, ...image.environment, ...own };
}
