# Additive models that once came out wrong, for gam-fixes.test.ts: mgcv's numbers.
# Rscript oracle/r/gam-fixes.R > oracle/r/gam-fixes.json
suppressMessages({ library(mgcv); library(jsonlite) })
RNGversion("4.0.0")
num <- function(x) unname(as.numeric(x))
r4 <- function(x) round(x, 4)
ctl <- gam.control(epsilon = 1e-12, maxit = 400, mgcv.tol = 1e-11, newton = list(conv.tol = 1e-10, maxNstep = 5, maxSstep = 2, maxHalf = 30, use.svd = FALSE))

case <- function(id, formula, D, method = "REML") {
  b <- suppressWarnings(gam(as.formula(formula), data = D, method = method, control = ctl))
  s <- summary(b); ll <- logLik(b); k <- 0
  sm <- lapply(b$smooth, function(q) { m <- length(q$S); i <- seq_len(m) + k; k <<- k + m
    list(label = q$label, sp = I(num((if (is.null(b$full.sp)) b$sp else b$full.sp)[i])), penalty_scale = I(num(q$S.scale)), edf = num(sum(b$edf[q$first.para:q$last.para]))) })
  used <- intersect(names(D), all.vars(as.formula(formula)))
  list(id = id, input = list(formula = formula, method = method),
    columns = lapply(D[used], function(q) if (is.factor(q)) list(type = "factor", levels = levels(q)) else list(type = "numeric")),
    values = lapply(D[used], function(q) if (is.factor(q)) as.character(q) else q),
    expected = list(edf_total = num(sum(b$edf)), edf1_total = num(sum(b$edf1)), scale = num(b$sig2), criterion = num(b$gcv.ubre), deviance = num(b$deviance),
      loglik = num(ll), loglik_df = num(attr(ll, "df")), aic = num(AIC(b)), smooths = sm,
      p = I(num(s$s.table[, 4])), fitted_head = num(b$fitted.values[1:8])))
}

cases <- list()
add <- function(...) cases[[length(cases) + 1]] <<- case(...)
# a very skewed covariate whose best penalty is infinite
for (seed in c(1, 2, 3, 4)) {
  set.seed(seed); n <- 200; z <- exp(3 * rnorm(n)); y <- rnorm(n)
  add(paste0("skewed-", seed), "y ~ s(z, bs = 'cr', k = 20)", data.frame(z = z, y = y))
}
# random slopes of a number beside other smooths
set.seed(11); n <- 120
D <- data.frame(x = r4(rnorm(n)), z = r4(runif(n)), h = r4(rexp(n)), g = factor(sample(c("a", "b", "c"), n, TRUE)))
D$y <- r4(.5 * D$x + sin(5 * D$z) + .3 * D$h + rnorm(n) * .4)
for (f in c("y ~ s(x, bs = 're') + s(z, k = 4)", "y ~ s(z, k = 4) + s(x, bs = 're')", "y ~ s(x, z, bs = 're') + s(h)",
  "y ~ s(x, by = g, bs = 're') + s(z)", "y ~ s(x, bs = 're') + s(h, z, k = 12)")) add(paste("slope", f), f, D)
# as many columns as distinct values
for (rep in 1:3) {
  set.seed(20 + rep); nu <- c(8, 13, 20)[rep]; n <- 90
  u <- sort(round(cumsum(rexp(nu)), 2)); x <- sample(u, n, TRUE); x[1:nu] <- u
  D <- data.frame(x = x, y = r4(sin(x / max(x) * 6) + rnorm(n) * .4))
  add(paste0("whole-", nu), paste0("y ~ s(x, k = ", nu, ")"), D)
  add(paste0("whole-gcv-", nu), paste0("y ~ s(x, k = ", nu, ")"), D, method = "GCV.Cp")
  add(paste0("whole-m1-", nu), paste0("y ~ s(x, k = ", nu, ", m = 1)"), D)
  add(paste0("whole-ts-", nu), paste0("y ~ s(x, k = ", nu, ", bs = 'ts')"), D)
  add(paste0("nearly-whole-", nu), paste0("y ~ s(x, k = ", nu - 1, ")"), D)
}
set.seed(31); n <- 110; u <- round(matrix(runif(36), 18, 2), 3); i <- c(1:18, sample(18, n - 18, TRUE))
D <- data.frame(x = u[i, 1], z = u[i, 2]); D$y <- r4(sin(4 * D$x) + D$z^2 + rnorm(n) * .3)
add("whole-2d", "y ~ s(x, z, k = 18)", D); add("whole-2d-ts", "y ~ s(x, z, k = 18, bs = 'ts')", D); add("nearly-whole-2d", "y ~ s(x, z, k = 17)", D)
# a skewed tensor product, nearly but not quite undetermined
set.seed(102); n <- 200; D <- data.frame(z = exp(3 * rnorm(n)), v = exp(2.5 * rnorm(n)), x = runif(n))
D$y <- rnorm(n); add("faint-te", "y ~ te(z, x, k = 4, sp = c(1, 1))", D)
# a smooth that another one repeats level by level: GCV shares the common direction out, REML drops a column that hangs on rounding
set.seed(5); n <- 200
D <- data.frame(x = r4(runif(n)), z = r4(runif(n, -1, 2)), g = factor(sample(c("a", "b", "c"), n, TRUE)))
D$y <- r4(sin(5 * D$x) + .5 * D$z * D$x + ifelse(D$g == "b", cos(4 * D$x), 0) + rnorm(n) * .4)
for (method in c("REML", "GCV.Cp")) for (f in c("y ~ g + s(x) + s(x, by = g)", "y ~ g + s(x, bs = 'cr') + s(x, by = g, bs = 'cr')",
  "y ~ s(x, by = z) + s(z, bs = 'cr', k = 5)")) add(paste("aliased", method, f), f, D, method = method)

cat(toJSON(list(schema = "gam-fixes/1", generated_with = list(R = paste(R.version$major, R.version$minor, sep = "."), mgcv = as.character(packageVersion("mgcv"))),
  cases = cases), auto_unbox = TRUE, digits = NA, na = "string", null = "null"))
