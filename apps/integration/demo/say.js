// @ts-check

/** What the demo says of itself. @param {string} line */
export const say = (line) => void process.stderr.write(`demo: ${line}\n`);
