# Agreement of metrics with people: simulated outputs of 6 systems on 30 items (one cell missing, ties in the human score, a metric of which
# less is better), correlations within items, of system means and of all outputs, t intervals over items, jackknife over items.
# Rscript oracle/r/metric-validity.R > oracle/r/metric-validity.json
suppressMessages(library(jsonlite))
set.seed(17)
d <- expand.grid(item = 1:30, system = LETTERS[1:6])
q <- c(0, .2, .4, .5, .9, 1.1)[as.integer(d$system)] + rnorm(30)[d$item] + rnorm(nrow(d), sd = .7)
d$human <- pmin(5, pmax(1, round(3 + q)))
d$good <- round(q + rnorm(nrow(d), sd = .5), 3)
d$fair <- round(q + rnorm(nrow(d), sd = 1.5), 2)
d$ter <- round(50 - 10 * q + rnorm(nrow(d), sd = 12), 1)
d <- d[-17, ]
metrics <- c("good", "fair", "ter"); sgn <- c(1, 1, -1)
kinds <- c("pearson", "spearman", "kendall")
ok <- sapply(split(d$human, d$item), function(h) length(unique(h)) > 1)
per <- function(m, s, k) sapply(split(d, d$item)[ok], function(g) cor(g$human, s * g[[m]], method = k))
acc <- function(h, m) { p <- combn(length(h), 2); dh <- sign(h[p[1,]] - h[p[2,]]); dm <- sign(m[p[1,]] - m[p[2,]]); c(sum(dh == dm & dh != 0), sum(dh != 0)) }
sysm <- aggregate(d[c("human", metrics)], d["system"], mean)
items <- unique(d$item)
jack <- function(f) { v <- sapply(items, function(i) f(d[d$item != i, ])); n <- length(v); sqrt((n - 1) / n * sum((v - mean(v))^2)) }
out <- lapply(seq_along(metrics), function(j) { m <- metrics[j]; s <- sgn[j]
  list(metric = m,
    item = setNames(lapply(kinds, function(k) { v <- per(m, s, k); t <- t.test(v); list(value = mean(v), lower = t$conf.int[1], upper = t$conf.int[2]) }), kinds),
    accuracy = { a <- sapply(split(d, d$item)[ok], function(g) acc(g$human, s * g[[m]])); sum(a[1,]) / sum(a[2,]) },
    system = setNames(lapply(kinds, function(k) cor(sysm$human, s * sysm[[m]], method = k)), kinds),
    systemAccuracy = { a <- acc(sysm$human, s * sysm[[m]]); a[1] / a[2] },
    output = setNames(lapply(kinds, function(k) list(value = cor(d$human, s * d[[m]], method = k), jackknife = jack(function(x) cor(x$human, s * x[[m]], method = k)))), kinds))
})
# differences from the best metric: exact sign flips by their convolution are too many here; the t test of the paired differences bounds them
diff <- lapply(2:3, function(j) { a <- per("good", 1, "kendall") - per(metrics[j], sgn[j], "kendall"); t.test(a)$p.value })
cat(toJSON(list(versions = list(R = R.version.string, jsonlite = as.character(packageVersion("jsonlite"))),
  data = lapply(d, function(x) if (is.factor(x)) as.character(x) else x), items = sum(ok), metrics = out,
  pairedT = list(fair = diff[[1]], ter = diff[[2]])), auto_unbox = TRUE, digits = NA))
