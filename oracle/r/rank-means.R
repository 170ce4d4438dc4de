# Variances of differences of means: s²/n of items, CR2 of clusters of unequal sizes, tasks that count alike.
library(clubSandwich)
set.seed(41)
n <- 36
cluster <- rep(1:9, times = c(1, 2, 3, 4, 5, 6, 7, 4, 4))
task <- rep(1:3, times = c(6, 18, 12))
level <- rnorm(n)
x <- round(cbind(level + rnorm(n), level + rnorm(n) + .4, level + rnorm(n), rnorm(n)), 4)
S <- ncol(x)
pairs <- t(combn(S, 2))
items <- apply(pairs, 1, function(p) var(x[, p[1]] - x[, p[2]]) / n)
clusters <- apply(pairs, 1, function(p) {
  d <- x[, p[1]] - x[, p[2]]
  as.numeric(vcovCR(lm(d ~ 1), cluster = cluster, type = "CR2"))
})
macro <- apply(pairs, 1, function(p) {
  d <- x[, p[1]] - x[, p[2]]
  sum(tapply(d, task, function(v) var(v) / length(v))) / 9
})
means <- colMeans(apply(x, 2, function(col) tapply(col, task, mean)))
num <- function(v) paste0("[", paste(format(v, digits = 17, trim = TRUE), collapse = ","), "]")
cat(paste0('{"tools":{"R":"', getRversion(), '","clubSandwich":"', packageVersion("clubSandwich"), '"},\n"scores":', num(x),
           ',\n"cluster":', num(cluster), ',\n"task":', num(task), ',\n"pairs":', num(t(pairs)), ',\n"items":', num(items),
           ',\n"clusters":', num(clusters), ',\n"macro":', num(macro), ',\n"macroMeans":', num(means), "}\n"))
