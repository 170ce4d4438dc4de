# Power of a linear mixed model of ordinal ratings in cells of Howcroft & Rieser (2021), Fig. 2, simulated with lmerTest.
# Writes howcroft-power.json. Settings: six points, lowest threshold N(-1.78, .19), distances |N(.62, .18)|, latent residual 1;
# lists of four texts, items/10 participants for each rating, nobody meets an item twice; ML, Satterthwaite, p < .05.
suppressMessages({library(lmerTest); library(jsonlite)})
sds <- list(low = c(.48, .27, .29, .63), general = c(.52, .43, .57, .77), high = c(.56, .67, .71, .89))
layOut <- function(items, ratings) {
  people <- items / 10; groups <- ceiling(items / 4)
  rows <- expand.grid(item = seq_len(items), version = 0:1, rating = seq_len(ratings) - 1)
  group <- (rows$item - 1) %/% 4
  list <- 2 * group + rows$version
  data.frame(item = rows$item, model = (rows$item + rows$version) %% 2, participant = rows$rating * people + list %% people + 1)
}
oneSet <- function(d, s, effect) {
  u <- cbind(rnorm(max(d$participant), 0, s[1]), rnorm(max(d$participant), 0, s[2]))
  v <- cbind(rnorm(max(d$item), 0, s[3]), rnorm(max(d$item), 0, s[4]))
  cuts <- cumsum(c(rnorm(1, -1.78, .19), abs(rnorm(4, .62, .18))))
  latent <- effect * d$model + u[d$participant, 1] + u[d$participant, 2] * d$model + v[d$item, 1] + v[d$item, 2] * d$model + rnorm(nrow(d))
  d$y <- findInterval(latent, cuts) / 6
  fit <- suppressWarnings(suppressMessages(lmer(y ~ model + (model | participant) + (model | item), d, REML = FALSE, control = lmerControl(calc.derivs = FALSE))))
  row <- suppressWarnings(suppressMessages(summary(fit)$coefficients["model", ]))
  row[["Estimate"]] > 0 && row[["Pr(>|t|)"]] < .05
}
sets <- 200
cells <- expand.grid(setting = c("low", "general", "high"), items = 50, ratings = 3, effect = c(.31, .62), stringsAsFactors = FALSE)
set.seed(20211)
cells$power <- mapply(function(setting, items, ratings, effect) {
  d <- layOut(items, ratings)
  mean(replicate(sets, oneSet(d, sds[[setting]], effect)))
}, cells$setting, cells$items, cells$ratings, cells$effect)
out <- list(generated_with = list(R = as.character(getRversion()), lme4 = as.character(packageVersion("lme4")), lmerTest = as.character(packageVersion("lmerTest"))), sets = sets, cells = cells)
name <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
writeLines(toJSON(out, auto_unbox = TRUE, digits = NA, pretty = TRUE), sub("R$", "json", name))
