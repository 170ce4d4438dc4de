# Power of the Wald z of lme4::glmer for preferences by repeated raters, by simulation in R: settings of head-to-head.test.ts.
#   Rscript oracle/r/head-to-head.R        (from the project's root; writes oracle/r/head-to-head.json; takes minutes)
suppressMessages(library(lme4))
source("oracle/reference/cases.R")
RNGkind("Mersenne-Twister", "Inversion", "Rejection"); set.seed(20200611)
REPLICATES <- 1000
settings <- list(
  list(id = "iid", items = 60, raters = 2, ratings = 2, win = 0.65, tie = 0, raterSd = 0, itemSd = 0, ties = "drop"),
  list(id = "drop", items = 40, raters = 8, ratings = 4, win = 0.52, tie = 0.2, raterSd = 0.3, itemSd = 0.7, ties = "drop"))
# the log odds whose average over raters and items is the share of wins among decided judgements
log_odds <- function(share, sd) uniroot(function(b) integrate(function(z) plogis(b + sd * z) * dnorm(z), -9, 9, rel.tol = 1e-10)$value - share, c(-9, 9), tol = 1e-10)$root
experiment <- function(s, beta) {
  d <- do.call(rbind, lapply(seq_len(s$items), function(i) data.frame(item = i, rater = sample(s$raters, s$ratings))))
  eta <- beta + rnorm(s$raters, 0, s$raterSd)[d$rater] + rnorm(s$items, 0, s$itemSd)[d$item]
  d$y <- rbinom(nrow(d), 1, plogis(eta))
  tied <- runif(nrow(d)) < s$tie
  d <- d[!tied, ] # glmer takes half a win for a loss, so ties cannot be split here
  m <- try(quiet(glmer(y ~ 1 + (1 | rater) + (1 | item), d, family = binomial, control = glmerControl(optimizer = "bobyqa"))), silent = TRUE)
  if (inherits(m, "try-error")) return(NA)
  z <- fixef(m) / sqrt(vcov(m)[1, 1])
  unname(z > qnorm(0.975)) # significant, and for the better system
}
cases <- lapply(settings, function(s) {
  beta <- log_odds(s$win / (1 - s$tie), sqrt(s$raterSd^2 + s$itemSd^2))
  hits <- replicate(REPLICATES, experiment(s, beta))
  p <- mean(hits, na.rm = TRUE)
  cat(s$id, p, "\n", file = stderr())
  list(id = s$id, input = s[-1], expected = list(power = p, se = sqrt(p * (1 - p) / sum(!is.na(hits))), replicates = REPLICATES, failed = sum(is.na(hits))))
})
writeLines(json(list(generated_with = versions("lme4"), cases = cases)), "oracle/r/head-to-head.json")
