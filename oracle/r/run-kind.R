# Whole runs of systems: aov of score ~ item + run, within each system, pooled over two systems.  Rscript oracle/r/run-kind.R
library(jsonlite)
set.seed(38)
one <- function(items, runs, shift) {
  score <- outer(rnorm(items), shift[seq_len(runs)], "+") + matrix(rnorm(items * runs), items)
  d <- data.frame(y = as.vector(score), item = factor(rep(seq_len(items), runs)), run = factor(rep(seq_len(runs), each = items)))
  a <- anova(lm(y ~ item + run, d))
  list(runs = runs, scores = as.vector(score), between = a["run", "Sum Sq"], within = a["Residuals", "Sum Sq"], df = c(a["run", "Df"], a["Residuals", "Df"]))
}
systems <- list(one(12, 3, c(0, 0.4, -0.2)), one(12, 2, c(0, 0.6)))
df <- systems[[1]]$df + systems[[2]]$df
f <- ((systems[[1]]$between + systems[[2]]$between) / df[1]) / ((systems[[1]]$within + systems[[2]]$within) / df[2])
write(toJSON(list(made_with = R.version.string, systems = systems, F = f, df = df, p = pf(f, df[1], df[2], lower.tail = FALSE)), digits = NA, auto_unbox = TRUE), "oracle/r/run-kind.json")
