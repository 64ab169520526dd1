// @ts-check

/** Prints a line about the demo itself. @param {string} line */
export const say = (line) => void process.stderr.write(`demo: ${line}\n`);
