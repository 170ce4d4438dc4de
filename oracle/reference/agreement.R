# Agreement between raters: Cohen's kappa with the large-sample errors of Fleiss, Cohen & Everitt (1969), Fleiss' kappa with that of
# Fleiss, Nee & Landis (1979), Krippendorff's alpha from its coincidences, Gwet's AC1, intraclass correlations after Shrout & Fleiss
# (1979) with psych's intervals, Lin's concordance.
# Run from the project's root:  Rscript oracle/reference/agreement.R   (writes oracle/reference/agreement.json)
suppressMessages(library(psych))
source("oracle/reference/cases.R")

alpha_of <- function(ratings, distance) { # rows are raters
  values <- sort(unique(as.vector(ratings[!is.na(ratings)]))); k <- length(values)
  o <- matrix(0, k, k)
  for (u in seq_len(ncol(ratings))) {
    own <- match(ratings[!is.na(ratings[, u]), u], values); m <- length(own)
    if (m > 1) for (i in seq_len(m)) for (j in seq_len(m)) if (i != j) o[own[i], own[j]] <- o[own[i], own[j]] + 1 / (m - 1)
  }
  marginal <- rowSums(o); n <- sum(o)
  d <- outer(seq_len(k), seq_len(k), Vectorize(function(a, b) distance(a, b, values, marginal)))
  1 - (n - 1) * sum(o * d) / sum(outer(marginal, marginal) * d)
}
distances <- list(
  nominal = function(a, b, v, n) as.numeric(a != b),
  ordinal = function(a, b, v, n) if (a == b) 0 else (sum(n[min(a, b):max(a, b)]) - (n[a] + n[b]) / 2)^2,
  interval = function(a, b, v, n) (v[a] - v[b])^2,
  ratio = function(a, b, v, n) if (a == b) 0 else ((v[a] - v[b]) / (v[a] + v[b]))^2)
krippendorff <- function(input) {
  ratings <- do.call(rbind, lapply(input$ratings, function(r) sapply(r, function(v) if (is.null(v)) NA else v)))
  shared <- colSums(!is.na(ratings)) > 1
  c(lapply(distances, function(d) alpha_of(ratings, d)), list(n_pairable_values = sum(!is.na(ratings[, shared]))))
}
fleiss <- function(input) {
  counts <- do.call(rbind, lapply(input$counts, unlist)); n <- nrow(counts); m <- sum(counts[1, ]); k <- ncol(counts)
  p <- colSums(counts) / (n * m); q <- 1 - p
  observed <- mean((rowSums(counts^2) - m) / (m * (m - 1))); chance <- sum(p^2)
  kappa <- (observed - chance) / (1 - chance)
  se <- sqrt(2) / (sum(p * q) * sqrt(n * m * (m - 1))) * sqrt(sum(p * q)^2 - sum(p * q * (q - p)))
  each <- 1 - colSums(counts * (m - counts)) / (n * m * (m - 1) * p * q)
  ac <- sum(p * q) / (k - 1)
  list(kappa = kappa, observed = observed, expected = chance, se_null = se, z = kappa / se, p = 2 * pnorm(-abs(kappa / se)),
    per_category = I(each), gwet_ac1 = (observed - ac) / (1 - ac))
}
cohen <- function(input) {
  a <- unlist(input$rater1); b <- unlist(input$rater2); values <- sort(unique(c(a, b))); k <- length(values)
  T <- table(factor(a, values), factor(b, values)) / length(a); n <- length(a); r <- rowSums(T); c <- colSums(T)
  index <- abs(outer(seq_len(k), seq_len(k), "-"))
  weighted <- function(w) {
    po <- sum(w * T); pe <- sum(w * outer(r, c)); kappa <- (po - pe) / (1 - pe)
    wr <- as.vector(w %*% c); wc <- as.vector(t(w) %*% r) # mean weights of rows and columns
    inner <- outer(wr, wc, "+")
    se <- sqrt((sum(T * (w - inner * (1 - kappa))^2) - (kappa - pe * (1 - kappa))^2) / (n * (1 - pe)^2))
    null <- sqrt((sum(outer(r, c) * (w - inner)^2) - pe^2) / (n * (1 - pe)^2))
    list(kappa = kappa, observed = po, expected = pe, se = se, se_null = null, z = kappa / null)
  }
  p <- (r + c) / 2; po <- sum(diag(T)); pi <- sum(p^2); ac <- sum(p * (1 - p)) / (k - 1)
  list(unweighted = weighted(diag(k)), linear = weighted(1 - index / (k - 1)), quadratic = weighted(1 - (index / (k - 1))^2),
    scott_pi = (po - pi) / (1 - pi), gwet_ac1 = (po - ac) / (1 - ac))
}
intraclass <- function(input) {
  x <- do.call(rbind, lapply(input$ratings, unlist)); n <- nrow(x); k <- ncol(x)
  found <- quiet(psych::ICC(x, lmer = FALSE)); t <- found$results
  g <- mean(x)
  between <- k * sum((rowMeans(x) - g)^2) / (n - 1); raters <- n * sum((colMeans(x) - g)^2) / (k - 1)
  within <- sum((x - rowMeans(x))^2) / (n * (k - 1))
  error <- sum((x - outer(rowMeans(x), colMeans(x), "+") + g)^2) / ((n - 1) * (k - 1))
  list(ms_between = between, ms_within = within, ms_raters = raters, ms_error = error, type = I(as.character(t$type)), icc = I(t$ICC),
    f = I(t$F), p = I(pf(t$F, t$df1, t$df2, lower.tail = FALSE)), lower95 = I(t[["lower bound"]]), upper95 = I(t[["upper bound"]]),
    cronbach_alpha = k / (k - 1) * (1 - sum(apply(x, 2, var)) / var(rowSums(x))),
    lin_ccc_first_two = { a <- x[, 1]; b <- x[, 2]; s <- (n - 1) / n; 2 * s * cov(a, b) / (s * var(a) + s * var(b) + (mean(a) - mean(b))^2) })
}
kinds <- list("krippendorff alpha" = krippendorff, "fleiss kappa" = fleiss, "cohen kappa" = cohen, "intraclass correlation" = intraclass)
reference <- read_cases("agreement.json")
for (i in seq_along(reference$cases)) {
  case <- reference$cases[[i]]
  reference$cases[[i]]$expected <- kinds[[case$test]](case$input)
}
write_cases(reference, "agreement.json", "psych")
