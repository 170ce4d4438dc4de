# Figures that show shapes and laws: Riezler & Hagmann 2.7, 2.17 and A.1, Howcroft & Rieser 1. 
# Rscript book-shapes.R DATA_FOLDER
suppressMessages({library(mgcv); library(ordinal)})
data <- commandArgs(TRUE)[1]
options(digits = 15)

cat("== 2.7\n")
ir <- read.csv(gzfile(file.path(data, "riezler2021/ir_testset.csv.gz")))
means <- aggregate(relevance ~ cited_inventor + cited_examiner + cited_family, ir, function(v) c(mean(v), length(v)))
print(means)
print(coef(lm(relevance ~ cited_inventor + cited_examiner + cited_family, ir)))

cat("== A.1\n")
# Park and Miller's generator: the same 400 numbers in every language
u <- numeric(400); state <- 1
for (k in 1:400) { state <- (16807 * state) %% 2147483647; u[k] <- state / 2147483647 }
x <- 10 * u[1:200]; y <- cos(x) + qnorm(u[201:400])
base <- gam(y ~ s(x, bs = "cr", k = 40), method = "GCV.Cp", optimizer = c("outer", "newton"), control = gam.control(epsilon = 1e-12, newton = list(conv.tol = 1e-10)))
show <- function(name, fit) cat(name, "sp", fit$sp, "edf", sum(fit$edf), "rms", sqrt(mean((fitted(fit) - cos(x))^2)), "at 5:", predict(fit, data.frame(x = 5)), "\n")
cat(head(x, 3), head(y, 3), "\n")
show("gcv", base)
for (times in c(1000, 1 / 1000)) show(paste("x", times), gam(y ~ s(x, bs = "cr", k = 40), sp = base$sp * times))

cat("== Howcroft 1\n")
p <- read.csv(file.path(data, "card2020/pplm_fluency_ratings.csv"))
counts <- table(p$rating); print(counts)
m <- mean(p$rating); s <- sd(p$rating)
cat("mean", m, "sd", s, "\n")
d <- dnorm(1:5, m, s); print(100 * d / sum(d))
print(clm(factor(rating) ~ 1, data = p, link = "probit")$alpha)
print(qnorm(cumsum(counts) / sum(counts)))

cat("== 2.8\n")
height <- function(fit, name) {
  grid <- as.data.frame(lapply(ir[c("score_tfIdf", "score_neural")], function(v) rep(mean(v), 100)))
  for (flag in c("cited_inventor", "cited_examiner", "cited_family")) grid[[flag]] <- "no"
  grid[[name]] <- seq(min(ir[[name]]), max(ir[[name]]), length.out = 100)
  diff(range(predict(fit, grid, type = "terms")[, paste0("s(", name, ")")]))
}
for (more in c("", "+ cited_inventor + cited_examiner + cited_family")) {
  fit <- gam(as.formula(paste("relevance ~ s(score_tfIdf) + s(score_neural)", more)), data = ir, method = "GCV.Cp")
  cat(more, "D2", 100 * summary(fit)$dev.expl, "edf", sum(fit$edf),
    "heights", height(fit, "score_tfIdf"), height(fit, "score_neural"), "\n")
}

cat("== 2.17\n")
ir$relevant <- as.numeric(ir$relevance > 0)
for (left in list(subset(ir, cited_inventor == "no"), subset(ir, cited_inventor == "no" & cited_examiner == "no"))) {
  fit <- gam(relevant ~ s(score_tfIdf) + s(score_neural), data = left, family = binomial,
    control = gam.control(epsilon = 1e-10, newton = list(conv.tol = 1e-10)))
  cat(nrow(left), "D2", 100 * summary(fit)$dev.expl, "edf", sum(fit$edf), "\n")
}
