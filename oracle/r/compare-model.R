# What `gosset compare` makes of ratings by several raters, by lme4 and emmeans: the simulated table oracle/reference/data/mt.csv.
#   Rscript oracle/r/compare-model.R        (from the project's root; writes oracle/r/compare-model.json)
suppressMessages({ library(lme4); library(emmeans); library(numDeriv) })
source("oracle/reference/cases.R")
mt <- read.csv("oracle/reference/data/mt.csv", stringsAsFactors = TRUE)
mt$class <- factor(ifelse(mt$len <= 15, "a", ifelse(mt$len <= 25, "b", "c")))
random <- "(1 | segment) + (1 | annotator) + (1 | segment:system) + (1 | annotator:system)"
fit <- function(fixed, reml) {
  control <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9, maxfun = 1e5), calc.derivs = FALSE)
  quiet(lmer(as.formula(paste("score ~", fixed, "+", random)), mt, REML = reml, control = control))
}
lrt <- function(small, big) {
  a <- logLik(fit(small, FALSE)); b <- logLik(fit(big, FALSE))
  x <- 2 * (as.numeric(b) - as.numeric(a)); df <- attr(b, "df") - attr(a, "df")
  list(chisq = x, df = df, p = pchisq(x, df, lower.tail = FALSE))
}
contrasts_of <- function(grid, by = NULL) {
  p <- as.data.frame(quiet(summary(pairs(grid, by = by), adjust = "tukey")))
  list(contrast = I(as.character(p$contrast)), class = if (is.null(by)) I(character(0)) else I(as.character(p[[by]])),
    estimate = I(p$estimate), se = I(p$SE), p = I(p$p.value))
}
emm_options(lmer.df = "asymptotic")
plain <- fit("system", TRUE); crossed <- fit("system * class", TRUE)
out <- list(
  formula = paste("score ~ system +", random),
  systems = c(contrasts_of(emmeans(plain, "system")), list(lrt = lrt("1", "system"), sigma = sigma(plain))),
  within = contrasts_of(emmeans(crossed, ~ system | class), "class"))
out$generated_with <- versions(c("lme4", "emmeans"))
writeLines(json(out), "oracle/r/compare-model.json")
