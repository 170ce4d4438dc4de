/** Tasks for the tests of the runners; plain JavaScript, since worker threads of Node 20 load no TypeScript. */
export const sumOfDraws = {
  name: "test/sum-of-draws",
  run(count, rng) {
    let sum = 0;
    for (let k = 0; k < count; k++) sum += rng.normal();
    return sum;
  },
};

export const failsAt = {
  name: "test/fails-at",
  run({ at, own }) {
    if (at.includes(own)) throw Object.assign(new Error(`input ${own} is bad`), { own });
    return own;
  },
};
