import { messageOf } from "@kindling/core-spec";

/** A tool of the Model Context Protocol (revision 2025-06-18, Tools). */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: object;
  /** @returns a text for the assistant; what it throws is told to the assistant as the tool's error */
  readonly call: (given: Readonly<Record<string, unknown>>) => Promise<string>;
}

export interface McpServerOptions {
  readonly tools: readonly McpTool[];
  readonly version: string;
  /** The messages of the client, one in each line. */
  readonly lines: AsyncIterable<string>;
  readonly write: (line: string) => void;
}

/** The revisions of the protocol whose messages are the same as far as they are used here. The latest is first. */
const REVISIONS = ["2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** Numbers of JSON-RPC 2.0. */
const ERRORS = { parse: -32_700, request: -32_600, method: -32_601, arguments: -32_602 } as const;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Answers an assistant's program over a pair of streams, with one message in each line (Model Context Protocol, stdio), until the
 * client closes its end. Calls are answered as they end, so a slow one holds up no other.
 */
export async function serveMcp({ tools, version, lines, write }: McpServerOptions): Promise<void> {
  const open = new Set<Promise<void>>();
  for await (const line of lines) {
    if (line.trim() === "") continue;
    const answering = answer(line).then((text) => {
      if (text !== undefined) write(text);
    });
    open.add(answering);
    void answering.finally(() => open.delete(answering));
  }
  await Promise.all(open);

  async function answer(line: string): Promise<string | undefined> {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return errorText(null, ERRORS.parse, "this is no JSON");
    }
    if (!isFields(message) || typeof message["method"] !== "string")
      return errorText(null, ERRORS.request, "this is no request of JSON-RPC 2.0");
    const { id, method, params } = message;
    // Notifications have no id, and get no answer.
    if (typeof id !== "string" && typeof id !== "number") return undefined;
    return await result(id, method, isFields(params) ? params : {});
  }

  async function result(id: string | number, method: string, params: Fields): Promise<string> {
    switch (method) {
      case "initialize": {
        const wanted = REVISIONS.find((revision) => revision === params["protocolVersion"]);
        return resultText(id, {
          protocolVersion: wanted ?? REVISIONS[0],
          capabilities: { tools: {} },
          serverInfo: { name: "kindling", title: "Kindling: Spark on Kubernetes", version },
          instructions:
            "Reads what is kept of Spark applications that have ended: which there were, why they failed, their logs, what they took. Nothing can be changed.",
        });
      }
      case "ping":
        return resultText(id, {});
      case "tools/list":
        return resultText(id, { tools: tools.map(described) });
      case "tools/call":
        return await called(id, params);
      default:
        return errorText(id, ERRORS.method, `there is no method ${method}`);
    }
  }

  async function called(id: string | number, { name, arguments: given }: Fields): Promise<string> {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) return errorText(id, ERRORS.arguments, `there is no tool ${String(name)}`);
    try {
      const text = await tool.call(isFields(given) ? given : {});
      return resultText(id, { content: [{ type: "text", text }] });
    } catch (error) {
      return resultText(id, { content: [{ type: "text", text: wordsOf(error) }], isError: true });
    }
  }
}

function described({ name, title, description, inputSchema }: McpTool): object {
  return { name, title, description, inputSchema, annotations: { readOnlyHint: true, openWorldHint: false } };
}

function wordsOf(error: unknown): string {
  const hint: unknown = error instanceof Error ? Reflect.get(error, "hint") : undefined;
  return typeof hint === "string" ? `${messageOf(error)}\n${hint}` : messageOf(error);
}

function resultText(id: string | number, result: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

function errorText(id: string | number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
