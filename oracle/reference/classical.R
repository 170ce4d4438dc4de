# Classical tests: the answers of R (tool "R") and, by the definitions of scipy and statsmodels, those of classical.py.
# Exact distributions with ties, which stats does not have, are convolved here as the package coin defines them.
# Run from the project's root:  Rscript oracle/reference/classical.R   (writes oracle/reference/classical.json)
suppressMessages(library(BradleyTerry2))
source("oracle/reference/cases.R")
source("oracle/reference/tukey.R")

mcnemar <- function(i) {
  b <- i$b; c <- i$c; n <- b + c
  if (n == 0) return(list(exact_p = 1, midp = 1, chisq = NaN, chisq_p = NaN, chisq_cc = NaN, chisq_cc_p = NaN))
  exact <- min(1, 2 * pbinom(min(b, c), n, 0.5)); x <- (b - c)^2 / n; cc <- max(0, abs(b - c) - 1)^2 / n
  list(exact_p = exact, midp = 2 * pbinom(min(b, c), n, 0.5) - dbinom(min(b, c), n, 0.5), chisq = x, chisq_p = pchisq(x, 1, lower.tail = FALSE),
    chisq_cc = cc, chisq_cc_p = pchisq(cc, 1, lower.tail = FALSE))
}
sign_test <- function(i) {
  d <- unlist(i$x) - unlist(i$y); n <- sum(d != 0); k <- sum(d > 0); p <- function(side) binom.test(k, n, alternative = side)$p.value
  list(n_used = n, positive = k, p_two_sided = p("two.sided"), p_greater = p("greater"), p_less = p("less"))
}
# the exact law of a sum of scores, each in or out with probability 1/2: scores are multiples of 1/2
sum_law <- function(scores) { s <- round(2 * scores); law <- c(1, numeric(sum(s))); for (r in s) { shifted <- c(numeric(r), law)[seq_along(law)]; law <- (law + shifted) / 2 }; law }
two_sided <- function(law, at, centre) { values <- (seq_along(law) - 1) / 2; sum(law[abs(values - centre) >= abs(at - centre) - 1e-9]) }
signed_rank <- function(i) {
  x <- unlist(i$x); y <- unlist(i$y); d <- x - y
  # R ranks differences as they are computed; equal ones must stay equal
  run <- function(side, exact, correct) quiet(wilcox.test(x, y, paired = TRUE, alternative = side, exact = exact, correct = correct))
  e <- list(v = vec(run("two.sided", FALSE, FALSE)$statistic))
  for (side in c("two_sided", "greater", "less")) {
    alternative <- sub("_", ".", side)
    e[[paste0("normal_p_", side)]] <- run(alternative, FALSE, FALSE)$p.value
    e[[paste0("normal_cc_p_", side)]] <- run(alternative, FALSE, TRUE)$p.value
  }
  d <- round(d, 10)
  if (!any(d == 0) && !anyDuplicated(abs(d))) {
    for (side in c("two_sided", "greater", "less")) e[[paste0("exact_p_", side)]] <- run(sub("_", ".", side), TRUE, FALSE)$p.value
    w <- wilcox.test(x, y, paired = TRUE, exact = TRUE, conf.int = TRUE)
    e$pseudomedian <- vec(w$estimate); e$exact_ci95 <- I(vec(w$conf.int))
  }
  for (zeros in c("pratt", "wilcoxon")) {
    own <- if (zeros == "pratt") d else d[d != 0]
    r <- rank(abs(own)); keep <- own != 0; r <- r[keep]; t <- sum(r[own[keep] > 0]); centre <- sum(r) / 2
    z <- (t - centre) / sqrt(sum(r^2) / 4)
    e[[paste0("coin_exact_p_", zeros)]] <- two_sided(sum_law(r), t, centre)
    e[[paste0("coin_z_", zeros)]] <- z; e[[paste0("coin_asymptotic_p_", zeros)]] <- 2 * pnorm(-abs(z))
  }
  e
}
t_tests <- function(i) {
  x <- unlist(i$x); y <- unlist(i$y)
  tell <- function(t) list(t = vec(t$statistic), df = vec(t$parameter), p = t$p.value, estimate = I(vec(t$estimate)), ci95 = I(vec(t$conf.int)), se = t$stderr)
  n <- length(x); m <- length(y); df <- n + m - 2
  d <- (mean(x) - mean(y)) / sqrt(((n - 1) * var(x) + (m - 1) * var(y)) / df)
  e <- list(welch = tell(t.test(x, y)), pooled = tell(t.test(x, y, var.equal = TRUE)), welch_greater = tell(t.test(x, y, alternative = "greater")),
    cohen_d_pooled = d, hedges_g_exact = d * exp(lgamma(df / 2) - lgamma((df - 1) / 2)) / sqrt(df / 2))
  if (n == m && i$paired) {
    e$paired <- tell(t.test(x, y, paired = TRUE)); e$paired_less <- tell(t.test(x, y, paired = TRUE, alternative = "less"))
    e$cohen_dz <- mean(x - y) / sd(x - y)
  }
  e
}
# the exact law of the rank sum of n among all, by counting subsets; ranks are multiples of 1/2
rank_sum_law <- function(ranks, n) {
  s <- round(2 * ranks); count <- matrix(0, n + 1, sum(s) + 1); count[1, 1] <- 1
  for (r in s) for (k in n:1) { from <- count[k, seq_len(ncol(count) - r)]; count[k + 1, (r + 1):ncol(count)] <- count[k + 1, (r + 1):ncol(count)] + from }
  count[n + 1, ] / choose(length(ranks), n)
}
mann_whitney <- function(i) {
  x <- unlist(i$x); y <- unlist(i$y)
  run <- function(exact, correct) quiet(wilcox.test(x, y, exact = exact, correct = correct))
  e <- list(w = vec(run(FALSE, FALSE)$statistic), normal_p = run(FALSE, FALSE)$p.value, normal_cc_p = run(FALSE, TRUE)$p.value)
  if (!anyDuplicated(c(x, y))) e$exact_p <- run(TRUE, FALSE)$p.value
  r <- rank(c(x, y)); n <- length(x)
  e$coin_exact_p <- two_sided(rank_sum_law(r, n), sum(r[seq_len(n)]), n * mean(r))
  e
}
correlation <- function(i) {
  x <- unlist(i$x); y <- unlist(i$y); p <- cor.test(x, y); ties <- anyDuplicated(x) || anyDuplicated(y)
  k <- function(...) quiet(cor.test(x, y, method = "kendall", ...)); s <- function(...) quiet(cor.test(x, y, method = "spearman", ...))
  kendall <- list(tau_b = vec(k(exact = FALSE)$estimate), z = vec(k(exact = FALSE)$statistic), asymptotic_p = k(exact = FALSE)$p.value,
    asymptotic_cc_p = k(exact = FALSE, continuity = TRUE)$p.value)
  spearman <- list(rho = vec(s(exact = FALSE)$estimate), t_approx_p = s(exact = FALSE)$p.value, S = vec(s(exact = FALSE)$statistic))
  if (!ties) {
    kendall$T <- vec(k(exact = TRUE)$statistic); kendall$exact_p <- k(exact = TRUE)$p.value
    spearman$exact_p <- s(exact = TRUE)$p.value; spearman$exact_kind <- if (length(x) <= 9) "full enumeration" else "Edgeworth series"
  }
  list(pearson = list(r = vec(p$estimate), t = vec(p$statistic), df = vec(p$parameter), p = p$p.value, fisher_ci95 = I(vec(p$conf.int))), kendall = kendall, spearman = spearman)
}
proportions <- function(i) {
  k <- c(i$k1, i$k2); n <- c(i$n1, i$n2); p <- k / n; pool <- sum(k) / sum(n); d <- p[1] - p[2]
  z <- c(d / sqrt(pool * (1 - pool) * sum(1 / n)), d / sqrt(sum(p * (1 - p) / n)))
  plain <- quiet(prop.test(k, n, correct = FALSE)); cc <- quiet(prop.test(k, n))
  list(z_pooled = z[1], p_pooled = 2 * pnorm(-abs(z[1])), z_unpooled = z[2], p_unpooled = 2 * pnorm(-abs(z[2])), chisq = vec(plain$statistic), chisq_p = plain$p.value,
    chisq_cc = vec(cc$statistic), chisq_cc_p = cc$p.value, wald_ci95 = I(vec(plain$conf.int)), wald_cc_ci95 = I(vec(cc$conf.int)), cohen_h = 2 * asin(sqrt(p[1])) - 2 * asin(sqrt(p[2])))
}
exact_binomial <- function(i) {
  test <- function(side) binom.test(i$k, i$n, i$p0, alternative = side)
  list(p_two_sided = test("two.sided")$p.value, p_greater = test("greater")$p.value, p_less = test("less")$p.value, clopper_pearson95 = I(vec(test("two.sided")$conf.int)),
    wilson95 = I(vec(quiet(prop.test(i$k, i$n, i$p0, correct = FALSE))$conf.int)), wilson_cc95 = I(vec(quiet(prop.test(i$k, i$n, i$p0))$conf.int)))
}
fisher <- function(i) {
  t <- do.call(rbind, lapply(i$table, unlist)); f <- fisher.test(t); x <- quiet(chisq.test(t, correct = FALSE))
  e <- list(p = f$p.value)
  if (all(dim(t) == 2)) e <- c(e, list(p_greater = fisher.test(t, alternative = "greater")$p.value, p_less = fisher.test(t, alternative = "less")$p.value,
    odds_ratio_cmle = vec(f$estimate), ci95 = I(vec(f$conf.int))))
  c(e, list(chisq = vec(x$statistic), chisq_df = vec(x$parameter), chisq_p = x$p.value))
}
friedman <- function(i) {
  x <- do.call(rbind, lapply(i$scores, unlist)); n <- nrow(x); k <- ncol(x); f <- friedman.test(x); q <- vec(f$statistic)
  ranks <- colMeans(t(apply(x, 1, rank))); scale <- sqrt(k * (k + 1) / (6 * n)); F <- (n - 1) * q / (n * (k - 1) - q)
  list(average_ranks = I(ranks), chisq = q, df = k - 1, p = f$p.value, iman_davenport_f = F, iman_davenport_df = I(c(k - 1, (k - 1) * (n - 1))),
    iman_davenport_p = pf(F, k - 1, (k - 1) * (n - 1), lower.tail = FALSE), kendall_w = q / (n * (k - 1)),
    nemenyi_cd_05 = tukey_quantile(0.95, k, Inf) / sqrt(2) * scale, nemenyi_cd_10 = tukey_quantile(0.9, k, Inf) / sqrt(2) * scale,
    nemenyi_p = lapply(seq_len(k), function(a) I(sapply(seq_len(k), function(b) if (a == b) 1 else min(1, tukey_upper(abs(ranks[a] - ranks[b]) / scale * sqrt(2), k, Inf))))))
}
williams <- function(i) { # Steiger (1980), eq. 7
  n <- i$n; a <- i$r12; b <- i$r13; c <- i$r23; det <- 1 - a^2 - b^2 - c^2 + 2 * a * b * c; m <- (a + b) / 2
  t <- (a - b) * sqrt((n - 1) * (1 + c) / (2 * (n - 1) / (n - 3) * det + m^2 * (1 - c)^3))
  list(t = t, df = n - 3, p_two_sided = 2 * pt(-abs(t), n - 3), p_greater = pt(t, n - 3, lower.tail = FALSE))
}
sign_flip <- function(i) {
  d <- unlist(i$d); n <- length(d); all <- as.vector(as.matrix(expand.grid(rep(list(c(-1, 1)), n))) %*% d) / n; o <- mean(d)
  list(observed = o, p_two_sided = mean(abs(all) >= abs(o) - 1e-12), p_greater = mean(all >= o - 1e-12), n_permutations = length(all))
}
two_sample_permutation <- function(i) {
  x <- unlist(i$x); z <- c(x, unlist(i$y)); n <- length(x); o <- mean(x) - mean(z[-seq_len(n)])
  all <- combn(length(z), n, function(k) mean(z[k]) - mean(z[-k]))
  list(observed = o, p_two_sided = mean(abs(all) >= abs(o) - 1e-12), p_greater = mean(all >= o - 1e-12), n_permutations = length(all))
}
one_way <- function(i) {
  d <- data.frame(y = unlist(i$y), group = factor(unlist(i$group))); a <- aov(y ~ group, d); s <- summary(a)[[1]]
  w <- oneway.test(y ~ group, d); k <- kruskal.test(y ~ group, d); h <- TukeyHSD(a)$group
  list(f = s[1, "F value"], df = I(s$Df), p = s[1, "Pr(>F)"], sum_sq = I(s[["Sum Sq"]]), welch_f = vec(w$statistic), welch_df = I(vec(w$parameter)), welch_p = w$p.value,
    kruskal_chisq = vec(k$statistic), kruskal_p = k$p.value, tukey_hsd = list(pair = I(rownames(h)), diff = I(vec(h[, 1])), lower95 = I(vec(h[, 2])), upper95 = I(vec(h[, 3])), p = I(vec(h[, 4]))))
}
bradley_terry <- function(i) {
  players <- sort(unique(c(unlist(i$first), unlist(i$second))))
  d <- data.frame(w = unlist(i$wins_first), l = unlist(i$wins_second)); d$a <- factor(unlist(i$first), players); d$b <- factor(unlist(i$second), players)
  m <- BTm(cbind(w, l), a, b, data = d, epsilon = 1e-14, maxit = 100); a <- BTabilities(m)
  list(players = I(players), ability = I(vec(a[, 1])), se = I(vec(a[, 2])), deviance = deviance(m), df_residual = df.residual(m), loglik = as.numeric(logLik(m)))
}
shapiro <- function(i) { s <- shapiro.test(unlist(i$x)); list(w = vec(s$statistic), p = s$p.value) }

kinds <- list(mcnemar = mcnemar, "sign test" = sign_test, "wilcoxon signed rank" = signed_rank, "t tests" = t_tests, "mann-whitney" = mann_whitney,
  correlation = correlation, "two proportions" = proportions, "exact binomial" = exact_binomial, "fisher exact" = fisher, "friedman and nemenyi" = friedman,
  "williams test of two dependent correlations" = williams, "exact sign-flip permutation of the paired mean difference" = sign_flip,
  "exact two-sample permutation of the mean difference" = two_sample_permutation, "one-way anova" = one_way, "bradley-terry" = bradley_terry, "shapiro-wilk" = shapiro)
reference <- read_cases("classical.json"); reference$source <- NULL
before <- reference$generated_with
for (k in seq_along(reference$cases)) {
  case <- reference$cases[[k]]
  if (case$tool != "R") next
  input <- case$input
  if (case$test == "t tests") input$paired <- !is.null(case$expected$paired)
  case$expected <- kinds[[case$test]](input)
  reference$cases[[k]] <- case
}
write_cases(reference, "classical.json", "BradleyTerry2")
