# Power: power.t.test and power.prop.test of R, the formulas of the package pwr (noncentral distributions of R), McNemar's test by
# enumeration of all tables, and the benchmarks of Card et al. (2020).
# Run from the project's root:  Rscript oracle/reference/power.R   (writes oracle/reference/power.json)
source("oracle/reference/cases.R")
reference <- read_cases("power.json"); reference$source <- NULL
TIGHT <- 1e-13

# P(significant) by sign, and mean |difference| of significant results, over the disagreements D ~ Bin(n, win + lose)
enumerate <- function(n, win, lose, test, alpha = 0.05) {
  d <- win + lose; D <- 0:n; pD <- dbinom(D, n, d); D <- D[pD > 1e-18]; pD <- pD[pD > 1e-18]
  found <- sapply(seq_along(D), function(i) {
    m <- D[i]; b <- 0:m; k <- pmin(b, m - b)
    p <- switch(test, exact = pmin(1, 2 * pbinom(k, m, 0.5)), midp = 2 * pbinom(k, m, 0.5) - dbinom(k, m, 0.5),
      chisq = pchisq((2 * b - m)^2 / m, 1, lower.tail = FALSE), chisq_cc = pchisq(pmax(0, abs(2 * b - m) - 1)^2 / m, 1, lower.tail = FALSE))
    if (m == 0) p <- 1
    w <- dbinom(b, m, win / d) * pD[i]; hit <- p <= alpha
    c(sum(w[hit & b > m - b]), sum(w[hit & b < m - b]), sum((w * abs(2 * b - m) / n)[hit]))
  })
  s <- rowSums(found)
  list(power = s[1], rejection_any_sign = s[1] + s[2], type_m = s[3] / (s[1] + s[2]) / (win - lose), type_s = s[2] / (s[1] + s[2]))
}
mcnemar_power <- function(i) sapply(c("exact", "midp", "chisq", "chisq_cc"), function(test)
  enumerate(i$n_pairs, i$p_first_only, i$p_second_only, test, i$alpha)$rejection_any_sign, simplify = FALSE)
named <- function(p, names) { out <- lapply(names, function(n) p[[n]]); names(out) <- sub("\\.", "_", names); out }
t_power <- function(i) named(do.call(power.t.test, c(i, list(tol = TIGHT))), c("n", "delta", "sd", "sig.level", "power"))
prop_power <- function(i) named(do.call(power.prop.test, c(i, list(tol = TIGHT))), c("n", "p1", "p2", "sig.level", "power"))
# the formulas of pwr 1.3-0, two-sided
pwr <- list(
  pwr.2p.test = function(i) pnorm(i$h * sqrt(i$n / 2) - qnorm(0.975)) + pnorm(-i$h * sqrt(i$n / 2) - qnorm(0.975)),
  pwr.2p2n.test = function(i) { s <- sqrt(i$n1 * i$n2 / (i$n1 + i$n2)); pnorm(i$h * s - qnorm(0.975)) + pnorm(-i$h * s - qnorm(0.975)) },
  pwr.r.test = function(i) { t <- qt(0.975, i$n - 2); rc <- sqrt(t^2 / (t^2 + i$n - 2)); zr <- atanh(i$r) + i$r / (2 * (i$n - 1)); zrc <- atanh(rc)
    pnorm((zr - zrc) * sqrt(i$n - 3)) + pnorm((-zr - zrc) * sqrt(i$n - 3)) },
  pwr.anova.test = function(i) pf(qf(i$sig.level, i$k - 1, (i$n - 1) * i$k, lower.tail = FALSE), i$k - 1, (i$n - 1) * i$k, i$k * i$n * i$f^2, lower.tail = FALSE),
  pwr.chisq.test = function(i) pchisq(qchisq(i$sig.level, i$df, lower.tail = FALSE), i$df, i$N * i$w^2, lower.tail = FALSE),
  pwr.f2.test = function(i) pf(qf(i$sig.level, i$u, i$v, lower.tail = FALSE), i$u, i$v, i$f2 * (i$u + i$v + 1), lower.tail = FALSE),
  pwr.t2n.test = function(i) { df <- i$n1 + i$n2 - 2; q <- qt(0.975, df); ncp <- i$d / sqrt(1 / i$n1 + 1 / i$n2)
    pt(q, df, ncp, lower.tail = FALSE) + pt(-q, df, ncp) })
for (k in seq_along(reference$cases)) {
  case <- reference$cases[[k]]
  case$expected <- if (startsWith(case$kind, "mcnemar")) mcnemar_power(case$input) else if (case$kind == "power.t.test") t_power(case$input) else
    if (case$kind == "power.prop.test") prop_power(case$input) else c(case$input, list(power = pwr[[case$kind]](case$input)))
  reference$cases[[k]] <- case
}

card <- reference$card
card$appendixC <- lapply(card$appendixC, function(e) { e$tests <- lapply(list(exact = "exact", midp = "midp", chi2 = "chisq", chi2cc = "chisq_cc"),
  function(test) enumerate(e$n, e$p_only_new, e$p_only_old, test)); e })
card$figures378 <- lapply(card$figures378, function(e) c(e[c("agreement", "n", "delta")],
  enumerate(e$n, (1 - e$agreement + e$delta) / 2, (1 - e$agreement - e$delta) / 2, "exact")))
card$figure1 <- sapply(names(card$figure1), function(n) { # preferences of 65 %, exact binomial test
  N <- as.integer(n); b <- 0:N; p <- sapply(b, function(x) binom.test(x, N)$p.value); w <- dbinom(b, N, 0.65); hit <- p <= 0.05
  list(power = sum(w[hit & b > N / 2]), type_s = sum(w[hit & b < N / 2]) / sum(w[hit]), type_m = sum((w * abs(b / N - 0.5))[hit]) / sum(w[hit]) / 0.15)
}, simplify = FALSE)
z <- qnorm(0.975) + qnorm(0.8)
card$table9 <- lapply(card$table9, function(e) {
  r <- if (e$task == "SQuAD 2.0") c(0.4339, 0.5932, -1.2849) else c(0.41422307, 0.58187475, -0.46624237) # agreement, their Tables 5 and 6
  disagreement <- function(delta) 1 - (r[1] + r[2] * e$sota + r[3] * delta)
  # the least effect with 80 % power, within what the accuracy leaves; null where there is none
  least <- function(power) { top <- min(1 - e$sota, uniroot(function(x) disagreement(x) - x, c(-1, 2))$root) - 1e-9
    if (power(top) < 0.8) NA else 100 * uniroot(function(x) power(x) - 0.8, c(1e-5, top), tol = 1e-13)$root }
  counted <- function(test) if (e$n > 1e5) NULL else least(function(x) enumerate(e$n, (disagreement(x) + x) / 2, (disagreement(x) - x) / 2, test)$rejection_any_sign)
  normal <- function(x) { d <- disagreement(x); pnorm((sqrt(e$n) * x - qnorm(0.975) * sqrt(d)) / sqrt(d - x^2)) } # Connett, Smith & McHugh (1987)
  u <- z^2 / e$n; free <- 1 - e$sota
  MDE <- list("binomial_power.prop.test_tight" = 100 * (power.prop.test(n = e$n, p1 = e$sota, power = 0.8, tol = TIGHT)$p2 - e$sota),
    regression_normal_tight = least(normal), regression_exact_unconditional = counted("exact"), MDE_percent_exact_unconditional_midp = counted("midp"),
    lachenbruch_closed_form = list(upper = 100 * (-u + sqrt(u^2 + 8 * u * free)) / 2, mid = 100 * sqrt(u * free), lower = 100 * u))
  e$MDE_percent <- MDE[!sapply(MDE, is.null)]
  cat(e$task, "\n", file = stderr())
  e
})
reference$card <- card
write_cases(reference, "power.json", "stats")
