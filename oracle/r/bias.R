# Reference numbers of the dataset bias test: correlations, their difference by Fisher's z, Zou's interval, influence-based standard
# errors, bias-corrected eta and Cramer's V, mutual information. Everything is written out from the formulae with base R.
# Run: Rscript oracle/r/bias.R > oracle/r/bias.json
suppressMessages(library(jsonlite))
set.seed(20211)

make_domain <- function(n, slope, skew) {
  overlap <- round(runif(n), 3)
  negation <- rbinom(n, 1, skew)
  y <- rbinom(n, 1, plogis(slope * (overlap - .5) - 1.2 * negation * (slope > 0)))
  topic <- sample(c("art", "law", "sport"), n, TRUE, c(.5, .3, .2))
  class <- ifelse(runif(n) < .4 + .3 * (topic == "law"), "neutral", sample(c("contradiction", "entailment"), n, TRUE))
  score <- round(y + rnorm(n), 4)
  data.frame(overlap, negation, y, topic, class, score, doc = sprintf("d%d", sample(1:12, n, TRUE)))
}
inside <- cbind(domain = "in", make_domain(120, 4, .3))
outside <- cbind(domain = "out", make_domain(90, -1, .2))
d <- rbind(inside, outside)
d$doc <- paste0(d$domain, d$doc)

influence <- function(x, y) {
  sx <- sqrt(mean((x - mean(x))^2)); sy <- sqrt(mean((y - mean(y))^2))
  zx <- (x - mean(x)) / sx; zy <- (y - mean(y)) / sy; r <- mean(zx * zy)
  (zx * zy - r * (zx^2 + zy^2) / 2) / (1 - r^2)
}
se_robust <- function(x, y) {
  i <- influence(x, y); n <- length(x)
  sqrt(sum(i^2) / (n * (n - 3)))
}
# delete-one-cluster jackknife of atanh r
se_jackknife <- function(x, y, doc) {
  z <- sapply(unique(doc), function(d) atanh(cor(x[doc != d], y[doc != d]))); g <- length(z)
  sqrt((g - 1) / g * sum((z - mean(z))^2))
}
ends <- function(r, se, df = Inf) tanh(atanh(r) + c(-1, 1) * qt(.975, df) * se)
difference <- function(r1, r2, se1, se2, df1 = Inf, df2 = Inf) {
  a <- ends(r1, se1, df1); b <- ends(r2, se2, df2)
  z <- (atanh(r1) - atanh(r2)) / sqrt(se1^2 + se2^2)
  df <- (se1^2 + se2^2)^2 / (se1^4 / df1 + se2^4 / df2)
  list(inDomain = r1, outOfDomain = r2, inEnds = a, outEnds = b, difference = r1 - r2,
       lower = r1 - r2 - sqrt((r1 - a[1])^2 + (b[2] - r2)^2), upper = r1 - r2 + sqrt((a[2] - r1)^2 + (r2 - b[1])^2),
       statistic = z, p = 2 * pt(-abs(z), df))
}
compare <- function(f, l) {
  t1 <- cor.test(inside[[f]], inside[[l]]); t2 <- cor.test(outside[[f]], outside[[l]])
  fisher <- difference(unname(t1$estimate), unname(t2$estimate), 1 / sqrt(nrow(inside) - 3), 1 / sqrt(nrow(outside) - 3))
  stopifnot(all.equal(fisher$inEnds, as.numeric(t1$conf.int)))
  robust <- difference(fisher$inDomain, fisher$outOfDomain, se_robust(inside[[f]], inside[[l]]), se_robust(outside[[f]], outside[[l]]))
  clustered <- difference(fisher$inDomain, fisher$outOfDomain,
    se_jackknife(inside[[f]], inside[[l]], inside$doc), se_jackknife(outside[[f]], outside[[l]], outside$doc),
    length(unique(inside$doc)) - 1, length(unique(outside$doc)) - 1)
  list(feature = f, label = l, fisher = fisher, robust = robust, clustered = clustered)
}
pairs <- list(compare("overlap", "y"), compare("negation", "y"), compare("overlap", "score"))

# predicted against gold labels of the same feature on the same rows
dependent <- function(x, gold, predicted) {
  n <- length(x); a <- influence(x, predicted); b <- influence(x, gold)
  r1 <- cor(x, predicted); r2 <- cor(x, gold)
  se1 <- sqrt(sum(a^2) / (n * (n - 3))); se2 <- sqrt(sum(b^2) / (n * (n - 3)))
  cov <- sum(a * b) / (n * (n - 3)); rho <- cov / (se1 * se2)
  e1 <- ends(r1, se1); e2 <- ends(r2, se2)
  reach <- function(u, v) sqrt(u^2 + v^2 - 2 * rho * u * v)
  z <- (atanh(r1) - atanh(r2)) / sqrt(se1^2 + se2^2 - 2 * cov)
  list(predicted = r1, gold = r2, difference = r1 - r2, lower = r1 - r2 - reach(r1 - e1[1], e2[2] - r2),
       upper = r1 - r2 + reach(e1[2] - r1, r2 - e2[1]), p = 2 * pnorm(-abs(z)))
}

eta <- function(v, g) { a <- anova(lm(v ~ g)); e <- a[1, 2] / sum(a[, 2]); n <- length(v); k <- length(unique(g))
  sqrt(max(0, 1 - (1 - e) * (n - 1) / (n - k))) }
cramer <- function(a, b) {
  t <- table(a, b); n <- sum(t); phi2 <- unname(suppressWarnings(chisq.test(t, correct = FALSE)$statistic)) / n
  r <- nrow(t); c <- ncol(t)
  sqrt(max(0, phi2 - (r - 1) * (c - 1) / (n - 1)) / min(r - (r - 1)^2 / (n - 1) - 1, c - (c - 1)^2 / (n - 1) - 1))
}
entropy <- function(p) { p <- p[p > 0]; -sum(p * log(p)) }
information <- function(a, b) {
  t <- table(a, b) / length(a); n <- length(a); hx <- entropy(rowSums(t)); hy <- entropy(colSums(t)); i <- hx + hy - entropy(t)
  corrected <- max(0, i - (sum(t > 0) - nrow(t) - ncol(t) + 1) / (2 * n))
  list(plugIn = i, corrected = corrected, normalised = corrected / sqrt(hx * hy), counts = as.numeric(t(table(a, b))), rows = nrow(t))
}
each <- function(f) list(inDomain = f(inside), outOfDomain = f(outside))
out <- list(
  tool = paste("R", getRversion()),
  columns = lapply(d, function(v) list(values = v)),
  pairs = pairs,
  dependent = dependent(outside$negation, outside$y, outside$score),
  eta = each(function(x) eta(x$overlap, x$class)),
  cramer = each(function(x) cramer(x$topic, x$class)),
  information = each(function(x) information(x$topic, x$class))
)
cat(toJSON(out, digits = NA, auto_unbox = TRUE, na = "null"))
