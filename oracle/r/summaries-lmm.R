# lme4 and pbkrtest on the example ratings: profile intervals and Kenward-Roger degrees of freedom.
# Run: Rscript oracle/r/summaries-lmm.R   (writes oracle/r/summaries-lmm.json)
suppressMessages({
  library(lme4)
  library(lmerTest)
  library(jsonlite)
})
d <- read.csv("examples/data/summaries.csv", stringsAsFactors = TRUE)
control <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e5))
fit <- lmerTest::lmer(rating ~ system + (1 | article) + (1 | rater), d, control = control)
profile <- suppressWarnings(confint(fit, method = "profile", quiet = TRUE, oldNames = FALSE))
kr <- summary(fit, ddf = "Kenward-Roger")$coefficients
writeLines(toJSON(list(
  tool = paste(R.version.string, "lme4", packageVersion("lme4"), "lmerTest", packageVersion("lmerTest")),
  profile = data.frame(name = rownames(profile), lower = profile[, 1], upper = profile[, 2], row.names = NULL),
  kenwardRoger = data.frame(term = rownames(kr), estimate = kr[, "Estimate"], se = kr[, "Std. Error"], df = kr[, "df"], p = kr[, "Pr(>|t|)"], row.names = NULL)
), auto_unbox = TRUE, digits = 12, pretty = TRUE), "oracle/r/summaries-lmm.json")
