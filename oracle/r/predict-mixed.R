# Predictions of mixed models for new rows: population level and conditional on the modes, with levels that the fit has not seen.
#   Rscript oracle/r/predict-mixed.R        (from the project's root; writes oracle/r/predict-mixed.json)
suppressMessages({ library(jsonlite); library(lme4) })
RNGkind("Mersenne-Twister", "Inversion", "Rejection"); set.seed(811)
n <- 160
d <- data.frame(item = sprintf("i%02d", rep(1:20, each = 8)), rater = sprintf("r%d", rep(1:8, 20)),
  system = rep(c("a", "b"), 80), length = round(runif(n, 1, 9), 2))
eff <- setNames(rnorm(20), unique(d$item)); tilt <- setNames(rnorm(8, 0, 0.6), unique(d$rater))
d$score <- round(2 + 0.7 * (d$system == "b") - 0.1 * d$length + eff[d$item] + tilt[d$rater] * (d$system == "b") + rnorm(n), 4)
d$right <- rbinom(n, 1, plogis(-0.2 + 0.8 * (d$system == "b") + eff[d$item]))
new <- data.frame(item = c("i01", "i05", "i20", "new", "i07"), rater = c("r1", "r8", "r2", "r3", "other"),
  system = c("a", "b", "b", "a", "b"), length = c(1, 4.5, 9, 3, 6.25))
l <- lmer(score ~ system + length + (1 | item) + (1 + system | rater), d, control = lmerControl(optCtrl = list(ftol_abs = 1e-14, xtol_abs = 1e-12)))
g <- glmer(right ~ system + (1 | item), d, family = binomial, control = glmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9), tolPwrss = 1e-13))
both <- function(f, type) list(population = unname(predict(f, new, re.form = NA, type = type)),
  conditional = unname(predict(f, new, allow.new.levels = TRUE, type = type)))
X <- model.matrix(~ system + length, new); V <- as.matrix(vcov(l))
write_json(list(tools = list(R = R.version.string, lme4 = as.character(packageVersion("lme4"))), data = d, new = new,
  lmm = c(both(l, "response"), list(se = unname(sqrt(rowSums((X %*% V) * X))))), glmm = both(g, "response")),
  "oracle/r/predict-mixed.json", digits = 12, auto_unbox = TRUE, dataframe = "columns")
