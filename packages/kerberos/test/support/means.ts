import { existsSync, readdirSync, readFileSync } from "node:fs";
import { systemClock, systemRandom, type Clock } from "@kindling/outside";
import type { DelegationTokenMeans } from "../../src/hadoop/fetch-delegation-tokens.ts";
import { askByTcp } from "../../src/kdc/ask-by-tcp.ts";
import { kerberosLogin, type KerberosLogin } from "../../src/login/kerberos-login.ts";

/** The login of a user with this cache. */
export function loginWith(cache: string, krb5Conf: string, clock: Clock = systemClock): KerberosLogin {
  const readBytes = (path: string): Buffer | undefined => (existsSync(path) ? readFileSync(path) : undefined);
  return kerberosLogin({
    clock,
    env: { KRB5CCNAME: `FILE:${cache}` },
    user: { uid: 0, name: "root" },
    files: { readBytes, readText: (path) => readBytes(path)?.toString("utf8"), list: (folder) => readdirSync(folder) },
    krb5Confs: [krb5Conf],
  });
}

/** The real network of this machine. */
export function realMeans(clock: Clock = systemClock): DelegationTokenMeans {
  return {
    clock,
    random: systemRandom(),
    askKdc: askByTcp(systemClock),
    findServers: () => Promise.resolve([]),
    addressOf: () => Promise.resolve("127.0.0.1"),
    async askHttp(url, request) {
      const response = await fetch(url, { ...request, redirect: "manual" });
      return { status: response.status, text: await response.text() };
    },
  };
}

/** The machine's clock, changed by so many milliseconds. */
export function clockOffBy(milliseconds: number): Clock {
  return { ...systemClock, now: () => systemClock.now() + milliseconds };
}
