import { BlockList, isIP, isIPv4 } from "node:net";

/** A host in the form that `NO_PROXY` uses. */
interface Host {
  /** In lower case, without brackets or a dot at its end. */
  readonly name: string;
  readonly port: string;
}

type Rule = (host: Host) => boolean;

/** Loopback addresses, `localhost` and its subdomains (RFC 6761, 6.3). */
const THIS_MACHINE = ["127.0.0.0/8", "::1", "localhost"];

/**
 * Which URLs a value of `NO_PROXY` exempts: hosts, domains, addresses and networks (CIDR), each with an optional port,
 * separated by commas or spaces; `*` exempts all. A domain means itself and its subdomains; with a dot before it, only
 * its subdomains (as in Go's `httpproxy`). This machine itself is always exempt.
 */
export function noProxyRule(value: string): (url: URL) => boolean {
  const entries = value.toLowerCase().split(/[\s,]+/);
  const rules = [...THIS_MACHINE, ...entries.filter((entry) => entry !== "")].map(ruleOf);
  return (url) => {
    const host = hostOf(url);
    return rules.some((rule) => rule(host));
  };
}

function hostOf({ hostname, port, protocol }: URL): Host {
  const name = hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  return { name, port: port === "" ? (protocol === "https:" ? "443" : "80") : port };
}

function ruleOf(entry: string): Rule {
  if (entry === "*") return () => true;
  if (entry.includes("/")) return networkRule(entry);
  if (isIP(entry) !== 0) return addressRule(entry);
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain;
  if (name === undefined) return () => false;
  const rule = isIP(name) === 0 ? domainRule(name.replace(/\.$/, "")) : addressRule(name);
  return (host) => (port === undefined || port === host.port) && rule(host);
}

function domainRule(domain: string): Rule {
  const below = domain.startsWith("*.") ? domain.slice(1) : domain;
  if (below.startsWith(".")) return ({ name }) => name.endsWith(below);
  // An address is below no domain, whatever its last numbers are.
  return ({ name }) => isIP(name) === 0 && (name === domain || name.endsWith(`.${domain}`));
}

function addressRule(address: string): Rule {
  const list = new BlockList();
  list.addAddress(address, familyOf(address));
  return isOn(list);
}

/** An entry that is no valid network exempts nothing. */
function networkRule(entry: string): Rule {
  const [, address = "", length = ""] = /^\[?([^\]]*)\]?\/(\d+)$/.exec(entry) ?? [];
  if (isIP(address) === 0 || Number(length) > (isIPv4(address) ? 32 : 128) || length === "") return () => false;
  const list = new BlockList();
  list.addSubnet(address, Number(length), familyOf(address));
  return isOn(list);
}

function isOn(list: BlockList): Rule {
  return ({ name }) => isIP(name) !== 0 && list.check(name, familyOf(name));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv4(address) ? "ipv4" : "ipv6";
}
