# The same cells with lme4, lmerTest and ordinal: one JSON line for each problem of bench/power.ts, processor seconds of one experiment.
suppressMessages({ library(lme4); library(lmerTest); library(ordinal) })
quiet <- function(e) suppressWarnings(suppressMessages(e))
cpu <- function(e) { s <- system.time(e); s[[1]] + s[[2]] }
say <- function(problem, seconds) cat(sprintf('{"problem":"%s","seconds":%.6g,"tool":"R"}\n', problem, seconds))
full <- "--full" %in% commandArgs(TRUE); set.seed(1)

cell <- function(W, I, count) {
  d <- expand.grid(worker = factor(seq_len(W)), item = factor(seq_len(I)), model = c(-1, 1)); n <- nrow(d)
  gen <- function() with(d, .5 + .05 * model + rnorm(W, 0, .01)[worker] + rnorm(W, 0, .11)[worker] * model + rnorm(I, 0, .04)[item] + rnorm(I, 0, .14)[item] * model + rnorm(n, 0, .26))
  f <- y ~ model + (1 + model || worker) + (1 + model || item); d$y <- gen()
  ml <- quiet(lme4::lmer(f, d, REML = FALSE)); reml <- quiet(lme4::lmer(f, d))
  say(sprintf("Card cell %d x %d: ML, t > 1.96", W, I), cpu(for (s in seq_len(count)) coef(summary(quiet(refit(ml, gen()))))[2, 3]) / count)
  say(sprintf("Card cell %d x %d: REML, Satterthwaite", W, I), cpu(for (s in seq_len(count)) coef(summary(quiet(as_lmerModLmerTest(refit(reml, gen())))))[2, 5]) / count)
}
cell(3, 50, 10); cell(3, 100, 10); cell(10, 100, 5); cell(10, 500, 1)

# lists of four texts, items/10 participants for each rating, nobody meeting an item under both systems
lists <- function(I, R) {
  P <- I / 10; B <- ceiling(I / 4); out <- NULL
  for (h in 0:1) for (b in 0:(B - 1)) { items <- (4 * b):min(4 * b + 3, I - 1); l <- h * B + b; out <- rbind(out, data.frame(item = items, model = (seq_along(items) - 1 + h) %% 2, p = l %% P)) }
  do.call(rbind, lapply(0:(R - 1), function(r) data.frame(item = factor(out$item), model = out$model, participant = factor(out$p + r * P))))
}
howcroft <- function(I, R, clmm_too) {
  d <- lists(I, R); u <- cbind(rnorm(nlevels(d$participant), 0, .52), rnorm(nlevels(d$participant), 0, .43)); v <- cbind(rnorm(I, 0, .57), rnorm(I, 0, .77))
  lat <- .31 * d$model + u[d$participant, 1] + u[d$participant, 2] * d$model + v[d$item, 1] + v[d$item, 2] * d$model + rnorm(nrow(d))
  d$num <- findInterval(lat, -1.78 + .62 * 0:4) / 5; d$rating <- factor(d$num, ordered = TRUE)
  say(sprintf("Howcroft cell %d x %d: lmm", I, R), cpu(quiet(summary(lmerTest::lmer(num ~ model + (model | participant) + (model | item), d, REML = FALSE)))))
  if (clmm_too) say(sprintf("Howcroft cell %d x %d: clmm", I, R), cpu(quiet(summary(clmm(rating ~ model + (model | participant) + (model | item), d, link = "probit")))))
}
howcroft(50, 3, TRUE); howcroft(100, 3, full); howcroft(50, 10, full); howcroft(100, 10, full); howcroft(500, 3, full); howcroft(500, 10, FALSE)
