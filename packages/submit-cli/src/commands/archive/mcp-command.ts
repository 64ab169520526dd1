import { createInterface } from "node:readline";
import type { CommandContext, CommandLine } from "@kindling/command-line";
import { VERSION } from "../../version.ts";
import { reachOf } from "../reach-options.ts";
import { archiveError } from "./archive-error.ts";
import { archiveTools } from "./mcp/archive-tools.ts";
import { serveMcp, type McpTool } from "./mcp/serve-mcp.ts";
import { type OpenArchive, openArchive } from "./open-archive.ts";

/** `kindling mcp`: answers an assistant's questions about what is kept, over the standard streams. */
export async function mcpCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const { outside, output, signal } = context;
  const reach = reachOf(line);
  const archives = new Map<string, Promise<OpenArchive>>();
  const archiveOf = (namespace: string | undefined): Promise<OpenArchive> => {
    const key = namespace ?? "";
    const known =
      archives.get(key) ?? openArchive("namespace", { ...reach, namespace: namespace ?? reach.namespace }, context);
    archives.set(key, known);
    // A cluster that was away may come back.
    known.catch(() => archives.delete(key));
    return known;
  };
  const input = createInterface({ input: process.stdin });
  signal.addEventListener("abort", () => input.close());
  try {
    await serveMcp({
      tools: archiveTools({ archiveOf, now: () => outside.clock.now() }).map(forUsers),
      version: VERSION,
      lines: input,
      write: (text) => output.out(`${text}\n`),
    });
    return 0;
  } finally {
    input.close();
    for (const archive of archives.values()) await archive.then((one) => one.close()).catch(() => undefined);
  }
}

/** Errors with the hints that commands give. */
function forUsers(tool: McpTool): McpTool {
  return {
    ...tool,
    async call(given) {
      try {
        return await tool.call(given);
      } catch (error) {
        throw archiveError(error);
      }
    },
  };
}
