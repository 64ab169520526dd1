import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { onTestFinished } from "vitest";

/** The executable of a Chromium; without it, tests with a browser are skipped. */
export const BROWSER: string | undefined = process.env["KINDLING_BROWSER"];

type Answer = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Answer;
  readonly result?: Answer;
  readonly error?: { readonly message: string };
}

/** A page in a real browser, controlled over its pipes with the DevTools protocol. It is closed at the end of the test. */
export class BrowserPage {
  /** Errors of the page, such as violations of its policy, and the addresses that it requested. */
  readonly complaints: string[] = [];
  readonly requests: string[] = [];
  readonly #out: Writable;
  readonly #answers = new Map<number, (message: Message) => void>();
  #session: string | undefined;
  #last = 0;

  private constructor(child: ChildProcess) {
    const [, , , out, back] = child.stdio;
    this.#out = out as Writable;
    let text = "";
    (back as Readable).setEncoding("utf8").on("data", (chunk: string) => {
      const parts = (text + chunk).split("\0");
      text = parts.pop() ?? "";
      for (const part of parts) this.#receive(JSON.parse(part) as Message);
    });
  }

  static async open(url: string): Promise<BrowserPage> {
    const folder = scratchFolder().path;
    const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"];
    const child = spawn(BROWSER ?? "", [...flags, "--remote-debugging-pipe", `--user-data-dir=${folder}/profile`], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder },
    });
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await ended;
    });
    const page = new BrowserPage(child);
    const { targetId } = await page.#send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await page.#send("Target.attachToTarget", { targetId, flatten: true });
    page.#session = String(sessionId);
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.#send(`${domain}.enable`);
    await page.goTo(url);
    return page;
  }

  async goTo(url: string): Promise<void> {
    await this.#send("Page.navigate", { url });
  }

  /** The value of an expression, evaluated in the page. */
  async evaluate<T>(expression: string): Promise<T> {
    const answer = await this.#send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    return (answer["result"] as { readonly value: T }).value;
  }

  /** Presses a key. */
  async press(key: "Tab" | "Enter" | " " | "ArrowDown"): Promise<void> {
    const code = { Tab: 9, Enter: 13, " ": 32, ArrowDown: 40 }[key];
    const text = key === "Enter" ? "\r" : key === " " ? " " : undefined;
    const common = { key, windowsVirtualKeyCode: code, ...(text !== undefined && { text }) };
    await this.#send("Input.dispatchKeyEvent", { type: "keyDown", ...common });
    await this.#send("Input.dispatchKeyEvent", { type: "keyUp", ...common });
  }

  async show(width: number, colors: "light" | "dark"): Promise<void> {
    const size = { width, height: 900, deviceScaleFactor: 1, mobile: width < 500 };
    await this.#send("Emulation.setDeviceMetricsOverride", size);
    await this.#send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: colors }] });
  }

  /** The whole page as PNG. */
  async picture(): Promise<Buffer> {
    const { data } = await this.#send("Page.captureScreenshot", { captureBeyondViewport: true });
    return Buffer.from(String(data), "base64");
  }

  #receive({ id, method, params = {}, result, error }: Message): void {
    if (id !== undefined) this.#answers.get(id)?.({ ...(result && { result }), ...(error && { error }) });
    if (method === "Log.entryAdded") this.complaints.push(JSON.stringify(params["entry"]));
    if (method === "Runtime.exceptionThrown") this.complaints.push(JSON.stringify(params["exceptionDetails"]));
    if (method === "Network.requestWillBeSent") {
      this.requests.push((params["request"] as { readonly url: string }).url);
    }
  }

  async #send(method: string, params: object = {}): Promise<Answer> {
    const id = ++this.#last;
    const answer = new Promise<Message>((resolve) => this.#answers.set(id, resolve));
    const session = this.#session === undefined ? {} : { sessionId: this.#session };
    this.#out.write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    const { result = {}, error } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }
}
