# The same work with lme4, lmerTest and pbkrtest: one JSON line for each problem of bench/lmm.ts.
suppressMessages({ library(lme4); library(lmerTest); library(pbkrtest) })
quiet <- function(e) suppressWarnings(suppressMessages(e))
best <- function(f, reps = 3, inner = 1) min(vapply(seq_len(reps), function(i) { gc(FALSE); system.time(for (k in seq_len(inner)) f())[[3]] / inner }, 0))
say <- function(problem, seconds) cat(sprintf('{"problem":"%s","seconds":%.6g,"tool":"R"}\n', problem, seconds))
say("sleepstudy: one fit", best(function() lme4::lmer(Reaction ~ Days + (Days | Subject), sleepstudy), 3, 10))
say("Penicillin: one fit", best(function() lme4::lmer(diameter ~ 1 + (1 | plate) + (1 | sample), Penicillin), 3, 10))
say("InstEval: one fit", best(function() lme4::lmer(y ~ 1 + service + (1 | s) + (1 | d) + (1 | dept), InstEval), 1))
cell <- function(W, I) {
  d <- expand.grid(worker = factor(seq_len(W)), item = factor(seq_len(I)), model = c(-1, 1)); set.seed(1)
  d$y <- with(d, .5 + .03 * model + rnorm(W, 0, .05)[worker] + rnorm(W, 0, .11)[worker] * model + rnorm(I, 0, .1)[item] + rnorm(I, 0, .14)[item] * model + rnorm(nrow(d), 0, .26)); d
}
f <- y ~ model + (1 + model || worker) + (1 + model || item)
for (size in list(c(3, 100, 20), c(10, 500, 3))) {
  d <- cell(size[1], size[2]); name <- sprintf("Card cell %d x %d", size[1], size[2])
  fm <- quiet(lme4::lmer(f, d, REML = FALSE))
  say(paste0(name, ": one fit"), best(function() quiet(lme4::lmer(f, d, REML = FALSE)), 2))
  Y <- simulate(fm, size[3]); say(paste0(name, ": a refit"), best(function() for (s in seq_len(size[3])) quiet(refit(fm, Y[[s]])), 1) / size[3])
}
for (W in c(3, 10)) {
  d <- cell(W, 100); fm <- quiet(lme4::lmer(f, d)); name <- sprintf("Card cell %d x 100", W)
  say(paste0(name, ": Satterthwaite df"), best(function() quiet(lmerTest::as_lmerModLmerTest(fm)), 1))
  say(paste0(name, ": Kenward-Roger"), best(function() vcovAdj(fm), 1))
}
