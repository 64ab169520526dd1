import { basename } from "node:path";
import type { DescribedImages } from "./described-images.ts";
import { parseImageReference } from "./image-reference.ts";

const FOLDER = "/opt/kindling";
const NODE = `${FOLDER}/node`;

export interface LocalizerPrograms {
  /** The localizer as one file for Node. */
  readonly localizer: string;
  /** The commands of the second containers, as files for Node. Each file is called as its command. */
  readonly commands: readonly string[];
  /** The program that runs them. */
  readonly node: string;
}

/** The localizer's image, with any tag: the init container that brings files into pods, and other programs of Kindling in pods. */
export function localizerImage({ localizer, commands, node }: LocalizerPrograms): DescribedImages {
  const programAt = (script: string): string => `${FOLDER}/${basename(script)}`;
  return {
    resolve(reference) {
      if (parseImageReference(reference)?.repository !== "kindling/localizer") return Promise.resolve(undefined);
      return Promise.resolve({
        id: `local-localizer:${localizer}`,
        mounts: [
          { source: node, target: NODE },
          ...[localizer, ...commands].map((script) => ({ source: script, target: programAt(script) })),
        ],
        files: commands.map((script) => ({
          path: `${FOLDER}/bin/${basename(script, ".cjs")}`,
          content: `#!/bin/sh\nexec ${NODE} ${programAt(script)} "$@"\n`,
          mode: 0o755,
        })),
        // The init container has little memory, and uses it for buffers outside of this heap.
        entrypoint: [NODE, "--max-old-space-size=64", programAt(localizer)],
        command: [],
        environment: { PATH: `${FOLDER}/bin:/usr/local/bin:/usr/bin:/bin` },
        workingDirectory: "/tmp",
        user: undefined,
      });
    },
    describe: () => Promise.resolve([`kindling/localizer:* (${localizer})`]),
  };
}
