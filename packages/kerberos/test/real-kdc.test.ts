import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock, systemRandom, type Clock } from "@kindling/outside";
import { caught, caughtFrom } from "@kindling/test-kit/caught";
import { freePort } from "@kindling/test-kit/free-port";
import { hasKdc, startKdc, type Kdc, type KdcOptions } from "@kindling/test-kit/kdc";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, it, onTestFinished } from "vitest";
import { askByTcp } from "../src/kdc/ask-by-tcp.ts";
import { realmClient } from "../src/kdc/kdc-client.ts";
import { serviceTicket } from "../src/kdc/service-ticket.ts";
import { keytabLogin } from "../src/keytab/keytab-login.ts";
import { readKrb5Settings } from "../src/krb5-conf/krb5-settings.ts";
import type { KerberosLogin } from "../src/login/kerberos-login.ts";
import type { UsableTicket } from "../src/ticket/ticket.ts";
import { clockOffBy, loginWith } from "./support/means.ts";

const HOUR_MS = 3_600_000;

/** A KDC with the user alice and the service HTTP/localhost, until the test ends. */
async function aKdc(options: KdcOptions = {}): Promise<Kdc> {
  const kdc = await startKdc(scratchFolder().path, options);
  onTestFinished(() => kdc.stop());
  kdc.addUser("alice", "secret");
  kdc.addServices("HTTP/localhost");
  return kdc;
}

/** Gets a ticket as a submission does. */
async function ticketFor(
  host: string,
  cache: string,
  krb5Conf: string,
  { loginClock = systemClock, clock = loginClock }: { readonly loginClock?: Clock; readonly clock?: Clock } = {},
): Promise<UsableTicket> {
  const { settings, ticketGranting, clockOffset } = loginWith(cache, krb5Conf, loginClock);
  const askRealm = realmClient({ settings, ask: askByTcp(systemClock), findServers: () => Promise.resolve([]) });
  const now = (): number => clock.now() + clockOffset;
  return await serviceTicket("HTTP", host, ticketGranting, { settings, askRealm, random: systemRandom(), now });
}

it.runIf(hasKdc).each([
  ["aes256-cts-hmac-sha1-96", 18],
  ["aes128-cts-hmac-sha1-96", 17],
  ["aes256-cts-hmac-sha384-192", 20],
  ["aes128-cts-hmac-sha256-128", 19],
])("MIT's KDC gives a ticket with keys of %s to whom kinit has logged in", async (type, number) => {
  const kdc = await aKdc({ encryptionTypes: [type] });
  const ticket = await ticketFor("localhost", kdc.login("alice", "secret"), kdc.krb5Conf);
  expect(ticket).toMatchObject({
    client: { parts: ["alice"], realm: "KINDLING.TEST" },
    server: { parts: ["HTTP", "localhost"], realm: "KINDLING.TEST" },
    encryption: { number },
  });
  expect(ticket.endTime).toBeGreaterThan(Date.now() + HOUR_MS);
});

it.runIf(hasKdc)("a service that the KDC does not know", async () => {
  const kdc = await aKdc();
  const error = await caught(ticketFor("nn.example.com", kdc.login("alice", "secret"), kdc.krb5Conf));
  expect(error).toMatchObject({
    code: "KERBEROS_FAILED",
    message: "the KDC of KINDLING.TEST does not know HTTP/nn.example.com@KINDLING.TEST",
  });
  expect(error.hint).toContain("[domain_realm]");
});

it.runIf(hasKdc).each([
  [10, "10 min ahead of"],
  [-10, "10 min behind"],
])("a clock that differs by %i minutes", async (minutes, words) => {
  const kdc = await aKdc();
  const clock = clockOffBy(minutes * 60_000);
  const error = await caught(ticketFor("localhost", kdc.login("alice", "secret"), kdc.krb5Conf, { clock }));
  expect(error).toMatchObject({
    code: "KERBEROS_FAILED",
    message: `this machine's clock is ${words} the clock of the KDC of KINDLING.TEST, which is too much for Kerberos`,
    hint: "set this machine's clock, for example by NTP",
  });
});

it.runIf(hasKdc)("a ticket that has ended, as this machine sees it and as the KDC does", async () => {
  const kdc = await aKdc({ clockSkew: 1 });
  const cache = kdc.login("alice", "secret", "-l", "2h");
  const later = clockOffBy(3 * HOUR_MS);
  const here = caughtFrom(() => loginWith(cache, kdc.krb5Conf, later));
  expect(here.message).toMatch(/^the Kerberos ticket of alice@KINDLING\.TEST in .* ended at \d{4}-.*Z$/);
  expect(here.hint).toBe("get a new ticket with kinit");
  const short = kdc.login("alice", "secret", "-l", "1s");
  await new Promise((resolve) => setTimeout(resolve, 3500));
  const there = await caught(
    ticketFor("localhost", short, kdc.krb5Conf, { loginClock: clockOffBy(-60_000), clock: systemClock }),
  );
  expect(there.message).toBe("the KDC of KINDLING.TEST says that the ticket has ended");
});

it.runIf(hasKdc)("no cache, and one that kdestroy has left without tickets", async () => {
  const kdc = await aKdc();
  const missing = join(scratchFolder().path, "none");
  expect(caughtFrom(() => loginWith(missing, kdc.krb5Conf))).toMatchObject({
    message: `there is no Kerberos ticket: the ticket cache ${missing} does not exist`,
    hint: "get a ticket with kinit, or set KRB5CCNAME to the cache",
  });
});

it.runIf(hasKdc)("a KDC that is away, and another one that answers", async () => {
  const kdc = await aKdc();
  const cache = kdc.login("alice", "secret");
  const away = await freePort();
  const conf = readFileSync(kdc.krb5Conf, "utf8");
  const both = scratchFolder().write("krb5.conf", conf.replace("  kdc =", `  kdc = 127.0.0.1:${away}\n  kdc =`));
  await expect(ticketFor("localhost", cache, both)).resolves.toMatchObject({
    server: { parts: ["HTTP", "localhost"] },
  });
  await kdc.stop();
  expect(await caught(ticketFor("localhost", cache, both))).toMatchObject({
    code: "KDC_UNREACHABLE",
    message: `no KDC of the realm KINDLING.TEST answers: 127.0.0.1:${away} refuses the connection; 127.0.0.1:${kdc.port} refuses the connection`,
  });
});

it.runIf(hasKdc)("a realm without a KDC in krb5.conf", async () => {
  const kdc = await aKdc();
  const cache = kdc.login("alice", "secret");
  writeFileSync(kdc.krb5Conf, "[libdefaults]\n default_realm = KINDLING.TEST\n dns_lookup_kdc = false\n");
  expect(await caught(ticketFor("localhost", cache, kdc.krb5Conf))).toMatchObject({
    code: "KERBEROS_FAILED",
    message: "krb5.conf names no KDC of the realm KINDLING.TEST",
    hint: "name a kdc of KINDLING.TEST under [realms] in krb5.conf",
  });
});

it.runIf(hasKdc)("a service in another realm", async () => {
  const own = await aKdc({ realm: "ONE.TEST" });
  const other = await aKdc({ realm: "OTHER.TEST" });
  // Both realms have the key for the way from one to the other.
  for (const kdc of [own, other]) kdc.addUser("krbtgt/OTHER.TEST@ONE.TEST", "between");
  const conf = readFileSync(own.krb5Conf, "utf8")
    .replace("localhost = ONE.TEST", "localhost = OTHER.TEST")
    .replace("[realms]", `[realms]\n OTHER.TEST = {\n  kdc = 127.0.0.1:${other.port}\n }`);
  const both = scratchFolder().write("krb5.conf", conf);
  await expect(ticketFor("localhost", own.login("alice", "secret"), both)).resolves.toMatchObject({
    client: { parts: ["alice"], realm: "ONE.TEST" },
    server: { parts: ["HTTP", "localhost"], realm: "OTHER.TEST" },
  });
});

/** Logs in as `kindling` with this keytab. */
async function logIn(
  kdc: Kdc,
  path: string,
  clock: Clock = systemClock,
  principal = "kindling",
): Promise<KerberosLogin> {
  const settings = readKrb5Settings([kdc.krb5Conf], { readText: (file) => readFileSync(file, "utf8"), list: () => [] });
  const means = {
    clock,
    random: systemRandom(),
    askKdc: askByTcp(systemClock),
    findServers: () => Promise.resolve([]),
  };
  return await keytabLogin({ keytab: readFileSync(path), path, principal, settings }, means);
}

it.runIf(hasKdc).each([
  ["aes256-cts-hmac-sha1-96", 18],
  ["aes256-cts-hmac-sha384-192", 20],
])("a keytab with a key of %s logs in, also with a clock that is wrong", async (type, number) => {
  const kdc = await aKdc({ encryptionTypes: [type] });
  const keytab = kdc.addServices("kindling");
  const login = await logIn(kdc, keytab);
  expect(login).toMatchObject({
    principal: { parts: ["kindling"], realm: "KINDLING.TEST" },
    ticketGranting: { server: { parts: ["krbtgt", "KINDLING.TEST"] }, encryption: { number } },
  });
  const behind = await logIn(kdc, keytab, clockOffBy(-HOUR_MS));
  expect(behind.clockOffset).toBeGreaterThan(HOUR_MS - 60_000);
});

it.runIf(hasKdc)("keytabs that do not log in", async () => {
  const kdc = await aKdc();
  const keytab = kdc.addServices("kindling");
  const copy = scratchFolder().write("old.keytab", readFileSync(keytab));
  // The KDC gives the principal another key each time.
  kdc.addServices("kindling");
  expect(await caught(logIn(kdc, copy))).toMatchObject({
    code: "KERBEROS_FAILED",
    message: "the KDC of KINDLING.TEST does not take the key of kindling@KINDLING.TEST",
    hint: `make the keytab ${copy} anew: the principal may have got another key`,
  });
  await expect(logIn(kdc, keytab)).resolves.toMatchObject({ principal: { parts: ["kindling"] } });
  expect((await caught(logIn(kdc, keytab, systemClock, "other"))).message).toBe(
    `the keytab ${keytab} has no key of other@KINDLING.TEST`,
  );
  expect((await caught(logIn(kdc, kdc.krb5Conf))).message).toBe(
    `the keytab ${kdc.krb5Conf} cannot be read: it is no keytab`,
  );
});
