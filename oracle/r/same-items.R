# Whether ids that come again under every part are the same items: F tests of ids and of cells by anova(lm), with the upper limit of the ids' variance
# ratio; of 300 drawn layouts (8 ids, 6 parts, 3 systems) those that lie next to a border of the rule.
# Run: Rscript oracle/r/same-items.R > oracle/r/same-items.json
suppressMessages(library(jsonlite))
draw <- function(seed, ids, cells, noise) {
  set.seed(seed)
  d <- expand.grid(id = 1:8, part = 1:6, system = 1:3)
  d$y <- round(rnorm(8, 0, ids)[d$id] + rnorm(48, 0, cells)[(d$part - 1) * 8 + d$id] + rnorm(nrow(d), 0, noise) + d$system * 0.3 + d$part * 0.2, 4)
  d
}
measure <- function(d) {
  a <- anova(lm(y ~ factor(system) * factor(part) + factor(id) + factor(id):factor(part) + factor(id):factor(system), d))
  row <- rownames(a)
  id <- which(row == "factor(id)")
  cell <- grep("part\\):factor\\(id\\)|id\\):factor\\(part\\)", row)
  rest <- which(row == "Residuals")
  f <- a$`Mean Sq`[id] / a$`Mean Sq`[cell]
  ratio <- max(0, (f / qf(0.05, a$Df[id], a$Df[cell]) - 1) / 6)
  list(pId = pf(f, a$Df[id], a$Df[cell], lower.tail = FALSE),
    pCell = pf(a$`Mean Sq`[cell] / a$`Mean Sq`[rest], a$Df[cell], a$Df[rest], lower.tail = FALSE),
    share = ratio / (1 + ratio), shared = 1 - a$`Mean Sq`[rest] / a$`Mean Sq`[cell])
}
cases <- list()
for (seed in 1:60) for (spread in list(c(.7, .5, .7), c(.35, .5, .7), c(0, .7, .7), c(0, .35, .8), c(.2, .6, .5))) {
  d <- draw(seed, spread[1], spread[2], spread[3])
  m <- measure(d)
  tells <- if (m$pId < 0.01) "same" else if (m$pCell < 0.001 && m$share < 0.5 * m$shared) "others" else "neither"
  near <- abs(log(m$pId / 0.01)) < 0.15 || abs(log(m$pCell / 0.001)) < 0.15 || abs(m$share - 0.5 * m$shared) < 0.03
  if (near) cases[[length(cases) + 1]] <- c(list(seed = seed, spread = spread), m, list(tells = tells, y = d$y))
}
cat(toJSON(list(tool = list(R = paste(R.version$major, R.version$minor, sep = ".")), cases = cases), auto_unbox = TRUE, digits = NA))
