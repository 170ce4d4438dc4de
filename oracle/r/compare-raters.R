# Ratings by raters: the difference between systems by lmerTest, with slopes of the difference, as a model of the differences within blocks, and in
# closed form where the design is balanced.
# Run from the project root: Rscript oracle/r/compare-raters.R
suppressPackageStartupMessages({ library(lmerTest); library(jsonlite) })
control <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e5), check.conv.singular = "ignore")

draw <- function(seed, systems, items, raters, blank = 0) {
  set.seed(seed)
  d <- expand.grid(system = LETTERS[1:systems], rater = paste0("r", 1:raters), item = paste0("i", 1:items), stringsAsFactors = FALSE)
  own <- function(levels, sd) matrix(rnorm(length(levels) * systems, 0, sd), nrow = systems, dimnames = list(LETTERS[1:systems], levels))
  R <- own(unique(d$rater), 0.25); I <- own(unique(d$item), 0.3)
  # levels that cancel in no system: the scores of two systems by one rater correlate negatively
  R <- sweep(R, 2, colMeans(R)); I <- sweep(I, 2, colMeans(I))
  d$score <- round(3 + R[cbind(d$system, d$rater)] + I[cbind(d$system, d$item)] + rnorm(nrow(d), 0, 0.5) + 0.2 * (d$system == "B"), 3)
  d[runif(nrow(d)) >= blank, ]
}
row <- function(table, name) {
  own <- table[name, ]
  list(estimate = own[["Estimate"]], se = own[["Std. Error"]], df = own[["df"]], p = own[["Pr(>|t|)"]])
}

# two systems, every rater rates everything
d <- draw(1, 2, 20, 12)
d$d <- ifelse(d$system == "B", 0.5, -0.5)
slopes <- lmer(score ~ d + (1 + d || item) + (1 + d || rater) + (1 | item:rater), d, control = control)
wide <- reshape(d[, c("item", "rater", "system", "score")], idvar = c("item", "rater"), timevar = "system", direction = "wide")
wide$difference <- wide$score.B - wide$score.A
differences <- lmer(difference ~ 1 + (1 | item) + (1 | rater), wide, control = control)
ms <- anova(lm(difference ~ item + rater, wide))[["Mean Sq"]]
two <- list(
  data = d[, c("system", "rater", "item", "score")],
  slopes = row(coef(summary(slopes)), "d"), differences = row(coef(summary(differences)), "(Intercept)"),
  closed = list(estimate = mean(wide$difference), se = sqrt((ms[1] + ms[2] - ms[3]) / nrow(wide)))
)

# a quarter of the ratings missing
d <- draw(2, 2, 25, 12, 0.25)
d$d <- ifelse(d$system == "B", 0.5, -0.5)
blank <- lmer(score ~ system + (1 + d || item) + (1 + d || rater), d, control = control)
incomplete <- list(data = d[, c("system", "rater", "item", "score")], slopes = row(coef(summary(blank)), "systemB"))

# three systems: levels of items and raters as fixed effects, which leaves the contrasts what the blocks say of them
d <- draw(3, 3, 20, 12)
d$system <- factor(d$system)
d$block <- interaction(d$item, d$rater)
msOf <- function(model) anova(model)
full <- anova(lm(score ~ system + block + item:system + rater:system, d))
mean_sq <- function(name) full[name, "Mean Sq"]
means <- tapply(d$score, d$system, mean)
item <- mean_sq("system:item"); rater <- mean_sq("system:rater"); rest <- full["Residuals", "Mean Sq"]
se2 <- 2 * (item + rater - rest) / (20 * 12)
three <- list(data = d[, c("system", "rater", "item", "score")], estimates = unname(c(means["B"] - means["A"], means["C"] - means["A"], means["C"] - means["B"])), se = sqrt(se2))

write_json(
  list(versions = list(R = R.version.string, lme4 = as.character(packageVersion("lme4")), lmerTest = as.character(packageVersion("lmerTest"))),
       two = two, incomplete = incomplete, three = three),
  "oracle/r/compare-raters.json", digits = 12, auto_unbox = TRUE, dataframe = "columns")
