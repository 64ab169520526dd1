import { ManualClock } from "@kindling/outside";
import { caughtFrom } from "@kindling/test-kit/caught";
import { expect, it } from "vitest";
import { kerberosLogin, type KerberosLogin } from "../../src/login/kerberos-login.ts";
import type { TicketCache } from "../../src/ticket/ticket-cache.ts";
import { ticketCacheBytes } from "@kindling/test-kit/ticket-cache-bytes";
import { ALICE, aTicket, END } from "../support/tickets.ts";

function login(cache: Partial<TicketCache> | Buffer | undefined, now: number = END - 1000): KerberosLogin {
  const bytes =
    cache === undefined || Buffer.isBuffer(cache)
      ? cache
      : ticketCacheBytes({ client: ALICE, tickets: [aTicket()], clockOffset: 0, ...cache });
  return kerberosLogin({
    clock: new ManualClock(now),
    env: {},
    user: { uid: 1001, name: "alice" },
    files: { readBytes: () => bytes, readText: () => undefined, list: () => [] },
    krb5Confs: ["/etc/krb5.conf"],
  });
}

it("takes the ticket for tickets of the own realm that ends last, and passes over the others", () => {
  const configuration = { type: 1, parts: ["krb5_ccache_conf_data", "pa_type"], realm: "X-CACHECONF:" };
  const tickets = [
    aTicket({ server: configuration }),
    aTicket({ endTime: END - 500 }),
    aTicket({ endTime: END + 500_000, server: { type: 2, parts: ["krbtgt", "OTHER.ORG"], realm: "EXAMPLE.COM" } }),
    aTicket({ endTime: END + 5000 }),
    aTicket({ endTime: END + 9000, server: { type: 3, parts: ["HTTP", "nn"], realm: "EXAMPLE.COM" } }),
  ];
  expect(login({ tickets }).ticketGranting.endTime).toBe(END + 5000);
});

it("counts by the KDC's clock, if kinit has found that it differs", () => {
  expect(login({ clockOffset: -600_000 }, END + 300_000).clockOffset).toBe(-600_000);
  expect(() => login({}, END + 300_000)).toThrow("ended at 2026-01-01T10:00:00.000Z");
});

it.each<[Parameters<typeof login>[0], string]>([
  [undefined, "there is no Kerberos ticket: the ticket cache /tmp/krb5cc_1001 does not exist"],
  [Buffer.alloc(0), "the ticket cache /tmp/krb5cc_1001 cannot be read: it is empty"],
  [Buffer.from("text"), "the ticket cache /tmp/krb5cc_1001 cannot be read: it is no ticket cache"],
  [{ tickets: [] }, "the ticket cache /tmp/krb5cc_1001 has no ticket of alice@EXAMPLE.COM"],
  [
    { tickets: [aTicket({ key: { type: 23, value: Buffer.alloc(16) } })] },
    "the ticket for krbtgt/EXAMPLE.COM@EXAMPLE.COM has a key of the type arcfour-hmac (RC4), which is not used here",
  ],
])("says why there is no login", (cache, message) => {
  expect(caughtFrom(() => login(cache))).toMatchObject({ code: "KERBEROS_FAILED", message });
});
