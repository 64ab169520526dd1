import { connect } from "node:net";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { messageOf } from "@kindling/core-spec";
import { type Clock, sleep } from "@kindling/outside";
import type { Container, Handler } from "../../../objects/pod.ts";
import { type Inside, runInside } from "./run-inside.ts";

/** Whether a probe or hook succeeded; the message says what failed. */
export interface HandlerResult {
  readonly good: boolean;
  readonly message: string;
}

export interface HandlerTarget {
  readonly container: Container;
  readonly ip: string;
  readonly inside: Inside;
}

/** Carries out a probe or a hook until the signal is aborted. */
export async function runHandler(
  handler: Handler,
  target: HandlerTarget,
  clock: Clock,
  signal: AbortSignal,
): Promise<HandlerResult> {
  const { exec, httpGet, tcpSocket, sleep: pause } = handler;
  try {
    if (exec !== undefined) {
      const { exitCode, output } = await runInside(target.inside, exec.command ?? [], signal);
      return { good: exitCode === 0, message: output.trim() };
    }
    if (httpGet !== undefined) return await get(httpGet, target, signal);
    if (tcpSocket !== undefined) {
      await knock(tcpSocket.host ?? target.ip, portOf(tcpSocket.port, target.container), signal);
      return { good: true, message: "" };
    }
    if (pause !== undefined) await sleep(clock, pause.seconds * 1000, signal);
    return { good: true, message: "" };
  } catch (error) {
    return { good: false, message: messageOf(error) };
  }
}

async function get(
  { path = "/", port, host, scheme, httpHeaders = [] }: NonNullable<Handler["httpGet"]>,
  { ip, container }: HandlerTarget,
  signal: AbortSignal,
): Promise<HandlerResult> {
  const request = scheme === "HTTPS" ? httpsRequest : httpRequest;
  return await new Promise((resolve, reject) => {
    const outgoing = request({
      host: host ?? ip,
      port: portOf(port, container),
      path,
      headers: Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value])),
      // Kubernetes does not check certificates here either.
      rejectUnauthorized: false,
      agent: false,
      signal,
    });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const status = response.statusCode ?? 0;
      response.destroy();
      resolve({ good: status >= 200 && status < 400, message: `HTTP probe failed with statuscode: ${status}` });
    });
    outgoing.end();
  });
}

async function knock(host: string, port: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host, port, signal });
    socket.on("error", reject);
    socket.on("connect", () => {
      socket.destroy();
      resolve();
    });
  });
}

function portOf(port: number | string, { ports = [] }: Container): number {
  const named = ports.find(({ name }) => name === port)?.containerPort;
  const number = named ?? Number(port);
  if (!Number.isInteger(number)) throw new Error(`no port is called ${JSON.stringify(port)}`);
  return number;
}
