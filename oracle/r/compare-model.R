# What `gosset compare` makes of ratings by several raters, by lme4 and emmeans: the simulated table oracle/reference/data/mt.csv.
#   Rscript oracle/r/compare-model.R        (from the project's root; writes oracle/r/compare-model.json)
suppressMessages({ library(lme4); library(emmeans); library(numDeriv) })
source("oracle/reference/cases.R")
mt <- read.csv("oracle/reference/data/mt.csv", stringsAsFactors = TRUE)
mt$class <- factor(ifelse(mt$len <= 15, "a", ifelse(mt$len <= 25, "b", "c")))
random <- "(1 | segment) + (1 | segment:system) + (1 | annotator) + (1 | annotator:system)"
control <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9, maxfun = 1e5), calc.derivs = FALSE)
fit <- function(fixed, reml) {
  quiet(lmer(as.formula(paste("score ~", fixed, "+", random)), mt, REML = reml, control = control))
}
lrt <- function(small, big) {
  a <- logLik(fit(small, FALSE)); b <- logLik(fit(big, FALSE))
  x <- 2 * (as.numeric(b) - as.numeric(a)); df <- attr(b, "df") - attr(a, "df")
  list(chisq = x, df = df, p = pchisq(x, df, lower.tail = FALSE))
}
emm_options(lmer.df = "asymptotic")
# the χ² of all ratings; each pair by its own slopes of the difference, then Tukey's law over the pairs
pair_of <- function(i, j, fixed, by = NULL) {
  own <- droplevels(subset(mt, system %in% levels(mt$system)[c(i, j)]))
  own$d <- ifelse(own$system == levels(mt$system)[i], -0.5, 0.5)
  f <- as.formula(paste("score ~", fixed, "+ (1 + d || segment) + (1 + d || annotator)"))
  # a variance at its bound leaves its neighborhood flat: the better of two optimizers
  fits <- lapply(c("bobyqa", "Nelder_Mead"), function(o) quiet(lmer(f, own, control = lmerControl(optimizer = o, calc.derivs = FALSE,
    optCtrl = if (o == "bobyqa") list(rhoend = 1e-9, maxfun = 1e5) else list(FtolAbs = 1e-12, XtolRel = 1e-12, maxfun = 1e5)))))
  best <- fits[[which.min(sapply(fits, REMLcrit))]]
  grid <- if (is.null(by)) emmeans(best, "system", weights = "proportional") else emmeans(best, ~ system | class)
  p <- as.data.frame(quiet(summary(pairs(grid, by = by))))
  data.frame(contrast = as.character(p$contrast), class = if (is.null(by)) "" else as.character(p[[by]]), estimate = p$estimate, se = p$SE)
}
pairs_of <- function(fixed, by = NULL) {
  n <- nlevels(mt$system)
  all <- do.call(rbind, lapply(1:(n - 1), function(i) do.call(rbind, lapply((i + 1):n, function(j) pair_of(i, j, fixed, by)))))
  p <- ptukey(abs(all$estimate / all$se) * sqrt(2), n, Inf, lower.tail = FALSE)
  list(contrast = I(all$contrast), class = I(all$class), estimate = I(all$estimate), se = I(all$se), p = I(p))
}
out <- list(
  formula = paste("score ~ system +", random),
  systems = c(pairs_of("system"), list(lrt = lrt("1", "system"))),
  within = pairs_of("system * class", "class"))
out$generated_with <- versions(c("lme4", "emmeans"))
writeLines(json(out), "oracle/r/compare-model.json")
